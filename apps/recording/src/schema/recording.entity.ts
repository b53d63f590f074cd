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
  /** The engine's id of each attempt; the last one is the current attempt's. */
  @Column('text', { array: true }) engineIds!: string[];
  @Column('json') options!: RecordingOptions;
  @Column('text', { nullable: true }) logoUrl!: string | null;
  @Column('text') status!: RecordingStatus | 'REQUESTED' | 'REFUSED';
  @Column('bigint') version!: number;
  @Column('timestamptz') requestedAt!: Date;
  /** When the current attempt began. */
  @Column('timestamptz') attemptedAt!: Date;
  /** When the recording became active, as the engine reported it. */
  @Column('timestamptz', { nullable: true }) activeAt!: Date | null;
  @Column('timestamptz', { nullable: true }) endedAt!: Date | null;
  @Column('text', { nullable: true }) reason!: string | null;
  /** Whether it ended because it had reached the engine's longest length. */
  @Column('boolean') limitReached!: boolean;
  @Column('timestamptz', { nullable: true }) pausedAt!: Date | null;
  /** Public ids of the recordings that this one is made of; empty for one that records the class. */
  @Column('text', { array: true }) mergedFrom!: string[];
  @Column('text', { nullable: true }) objectKey!: string | null;
  @Column('text', { nullable: true }) fileName!: string | null;
  /** Bytes. */
  @Column('bigint', { nullable: true }) size!: number | null;
  /** Duration in seconds that the file itself states. */
  @Column('integer', { nullable: true }) duration!: number | null;
  @Column('timestamptz', { nullable: true }) completedAt!: Date | null;
  @Column('timestamptz', { nullable: true }) classEndedAt!: Date | null;
  /** When the watchdog looks at the row next; null if no more is expected. */
  @Column('timestamptz', { nullable: true }) lookAt!: Date | null;
  /** Since when the engine has reported that it has no such egress. */
  @Column('timestamptz', { nullable: true }) missingSince!: Date | null;
  @Column('timestamptz', { nullable: true }) finalizeAt!: Date | null;
  @Column('integer') finalizeTries!: number;
  @Column('timestamptz', { nullable: true }) deleteAt!: Date | null;
  @Column('timestamptz', { nullable: true }) deletedAt!: Date | null;
  /** Since when the organization has kept the files for a legal reason: they are not deleted. */
  @Column('timestamptz', { nullable: true }) heldAt!: Date | null;
  /** Trace of the request that started the recording. */
  @Column('text', { nullable: true }) trace!: string | null;
}
