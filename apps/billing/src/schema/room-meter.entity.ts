import type { RoomBudget } from '@classroom/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What a room has been charged so far, and how much of the room is known. */
@Entity('room_meters')
export class RoomMeterEntity {
  @PrimaryColumn('text') sid!: string;
  @Column('text') organizationId!: string;
  @Column('text') roomId!: string;
  @Column('text') title!: string;
  @Column('timestamptz', { nullable: true }) startedAt!: Date | null;
  @Column('timestamptz', { nullable: true }) endedAt!: Date | null;
  @Column('bigint') chargedCredits!: number;
  @Column('integer') sequence!: number;
  @Column('uuid', { nullable: true }) lastEntryId!: string | null;
  @Column('bigint') foldedVersion!: number;
  @Column('timestamptz', { nullable: true }) verifiedAt!: Date | null;
  /** Connection sid → second (since 1970) at which an open connection was last seen, if that is before `verifiedAt`. */
  @Column('jsonb') unseen!: Record<string, number>;
  @Column('integer', { nullable: true }) finalConnections!: number | null;
  @Column('bigint', { nullable: true }) finalVersionSum!: number | null;
  @Column('bigint', { nullable: true }) finalVersion!: number | null;
  @Column('timestamptz', { nullable: true }) finishedAt!: Date | null;
  @Column('timestamptz', { nullable: true }) settledAt!: Date | null;
  @Column('timestamptz', { nullable: true }) dueAt!: Date | null;
  @Column('text', { nullable: true }) trace!: string | null;
  @Column('bigint') connections!: number;
  @Column('bigint') versionSum!: number;
  @Column('numeric') closedSeconds!: string;
  @Column('json', { nullable: true }) budget!: RoomBudget | null;
  /** Number of changes of the budget. */
  @Column('integer') budgetVersion!: number;
}
