import type { ErasureCounts, ErasureReceipt, ErasureSubject } from '@classroom/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A request to erase a person, a class or an organization. */
@Entity('erasures')
export class ErasureEntity {
  @PrimaryColumn('text') erasureId!: string;
  @Column('text') organizationId!: string;
  /** Null when the request is completed. */
  @Column('json', { nullable: true }) subject!: ErasureSubject | null;
  @Column('boolean') isOfOrganization!: boolean;
  /** Of an organization: the last fact in the stream when no class could continue; null until then. */
  @Column('bigint', { nullable: true }) closedThrough!: number | null;
  /** What each service that has finished erased. */
  @Column('jsonb') results!: Record<string, ErasureCounts>;
  /** The last fact in the stream when all other services had erased; null until then. */
  @Column('bigint', { nullable: true }) factsThrough!: number | null;
  @Column('timestamptz') requestedAt!: Date;
  /** When the services that have not finished are asked again; null when the request is completed. */
  @Column('timestamptz', { nullable: true }) dueAt!: Date | null;
  @Column('timestamptz', { nullable: true }) completedAt!: Date | null;
  @Column('json', { nullable: true }) receipt!: ErasureReceipt | null;
}
