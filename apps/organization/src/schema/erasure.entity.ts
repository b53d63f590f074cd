import type { ErasureCounts, ErasureReceipt, ErasureSubject } from '@classroom/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

export interface HistoryProgress {
  /** The sequence number of the last event that was looked at. */
  event: number;
  areEventsDone: boolean;
  /** The last webhook that was looked at. */
  endpointId: string;
  position: number;
  isComplete: boolean;
  counts: { events: number; webhooks: number };
}

/** A request to erase a person, a class or an organization. */
@Entity('erasures')
export class ErasureEntity {
  @PrimaryColumn('text') erasureId!: string;
  @Column('text') organizationId!: string;
  /** Null when the request is completed. */
  @Column('json', { nullable: true }) subject!: ErasureSubject | null;
  @Column('boolean') isOfOrganization!: boolean;
  /** The last fact in the stream when every class of the subject was over; null until then. */
  @Column('bigint', { nullable: true }) closedThrough!: number | null;
  /** What each service that has finished erased. */
  @Column('jsonb') results!: Record<string, ErasureCounts>;
  /** The last fact in the stream when all other services had erased; null until then. */
  @Column('bigint', { nullable: true }) factsThrough!: number | null;
  /** How far this service has erased in its own history; null until it begins. */
  @Column('json', { nullable: true }) historyProgress!: HistoryProgress | null;
  @Column('timestamptz') requestedAt!: Date;
  /** When the erasure of an organization begins; null for a person or a class. */
  @Column('timestamptz', { nullable: true }) beginsAt!: Date | null;
  /** When a service was first asked to erase; null until then. */
  @Column('timestamptz', { nullable: true }) begunAt!: Date | null;
  /** When the services that have not finished are asked again; null before the request begins and when it is completed. */
  @Column('timestamptz', { nullable: true }) dueAt!: Date | null;
  @Column('timestamptz', { nullable: true }) completedAt!: Date | null;
  @Column('json', { nullable: true }) receipt!: ErasureReceipt | null;
}
