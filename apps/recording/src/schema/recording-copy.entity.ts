import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The copy of one recording in the bucket of its organization. */
@Entity('recording_copies')
export class RecordingCopyEntity {
  @PrimaryColumn('uuid') recordingKey!: string;
  @Column('text') organizationId!: string;
  @Column('text') status!: 'PENDING' | 'COPIED' | 'FAILED';
  /** Attempts that were begun. The number of an attempt is never used again. */
  @Column('integer') attempts!: number;
  /** Why the last attempt failed. */
  @Column('text', { nullable: true }) error!: string | null;
  @Column('timestamptz') requestedAt!: Date;
  @Column('timestamptz', { nullable: true }) nextAttemptAt!: Date | null;
  /** Until when a worker has the copy. */
  @Column('timestamptz', { nullable: true }) runningUntil!: Date | null;
  @Column('text', { nullable: true }) uploadKey!: string | null;
  @Column('text', { nullable: true }) uploadId!: string | null;
  /** Key of the file in the organization's bucket, when it is copied. */
  @Column('text', { nullable: true }) objectKey!: string | null;
  @Column('timestamptz', { nullable: true }) copiedAt!: Date | null;
}
