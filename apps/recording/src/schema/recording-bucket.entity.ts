import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An organization's own bucket, to which its recordings are copied. */
@Entity('recording_buckets')
export class RecordingBucketEntity {
  @PrimaryColumn('text') organizationId!: string;
  @Column('text') endpoint!: string;
  @Column('text') region!: string;
  @Column('text') bucket!: string;
  /** Folder without a slash at its ends; empty: none. */
  @Column('text') prefix!: string;
  @Column('text') accessKeyId!: string;
  @Column('text') sealedSecret!: string;
  @Column('boolean') forcePathStyle!: boolean;
  /** Increases each time the bucket is set. */
  @Column('integer') version!: number;
  /** When it was first set. */
  @Column('timestamptz') createdAt!: Date;
  @Column('timestamptz') setAt!: Date;
  @Column('timestamptz', { nullable: true }) failingSince!: Date | null;
  @Column('text', { nullable: true }) error!: string | null;
  @Column('timestamptz', { nullable: true }) lastCopiedAt!: Date | null;
}
