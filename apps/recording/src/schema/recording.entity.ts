import type { RecordingOptions, RecordingStatus } from '@classroom/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('recordings')
export class RecordingEntity {
  @PrimaryColumn('uuid') recordingKey!: string;
  @Column('text') organizationId!: string;
  @Column('text') sid!: string;
  @Column('text') roomId!: string;
  @Column('text') title!: string;
  /** The public id: the engine's id of the first attempt. Null until the engine has answered. */
  @Column('text', { nullable: true }) egressId!: string | null;
  /** The engine's id of each attempt; the last one is the present. */
  @Column('text', { array: true }) engineIds!: string[];
  @Column('json') options!: RecordingOptions;
  @Column('text', { nullable: true }) logoUrl!: string | null;
  @Column('text') status!: RecordingStatus | 'REQUESTED' | 'REFUSED';
  @Column('bigint') version!: number;
  @Column('timestamptz') requestedAt!: Date;
  /** When the present attempt began. */
  @Column('timestamptz') attemptedAt!: Date;
  /** The instant the engine called it active. */
  @Column('timestamptz', { nullable: true }) activeAt!: Date | null;
  @Column('timestamptz', { nullable: true }) endedAt!: Date | null;
  @Column('text', { nullable: true }) reason!: string | null;
  @Column('text', { nullable: true }) objectKey!: string | null;
  @Column('text', { nullable: true }) fileName!: string | null;
  /** Bytes. */
  @Column('bigint', { nullable: true }) size!: number | null;
  /** Seconds of the file itself. */
  @Column('integer', { nullable: true }) duration!: number | null;
  @Column('timestamptz', { nullable: true }) completedAt!: Date | null;
  @Column('timestamptz', { nullable: true }) classEndedAt!: Date | null;
  /** The watchdog's next look; null where nothing is to be expected any more. */
  @Column('timestamptz', { nullable: true }) lookAt!: Date | null;
  /** Since when the engine says that it has no such egress. */
  @Column('timestamptz', { nullable: true }) missingSince!: Date | null;
  @Column('timestamptz', { nullable: true }) finalizeAt!: Date | null;
  @Column('integer') finalizeTries!: number;
  @Column('timestamptz', { nullable: true }) deleteAt!: Date | null;
  @Column('timestamptz', { nullable: true }) deletedAt!: Date | null;
  /** Of the request that asked for it. */
  @Column('text', { nullable: true }) trace!: string | null;
}
