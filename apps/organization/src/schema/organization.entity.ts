import type { AttendancePolicy, ConsentChanges, JoinHook, QuotaChanges, RetentionChanges } from '@classroom/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('organizations')
export class OrganizationEntity {
  @PrimaryColumn('text') organizationId!: string;
  @Column('text') name!: string;
  @Column('text', { nullable: true }) billingType!: 'PREPAID' | 'POSTPAID' | null;
  /** Decimal text, so that the rate is never converted to a binary fraction inside the service. */
  @Column('numeric', { nullable: true }) creditRate!: string | null;
  @Column('text', { nullable: true }) currency!: string | null;
  @Column('bigint', { nullable: true }) openingCredits!: number | null;
  @Column('text', { nullable: true }) billingFrequency!: 'WEEKLY' | 'MONTHLY' | null;
  @Column('timestamptz', { nullable: true }) cycleStart!: Date | null;
  @Column('text', { array: true }) verifiedDomains!: string[];
  @Column('text', { nullable: true }) logoUrl!: string | null;
  @Column('text', { nullable: true }) primaryColor!: string | null;
  @Column('text', { nullable: true }) accentColor!: string | null;
  /** The version of dashboard tokens that is valid. */
  @Column('integer') dashboardTokenVersion!: number;
  /** What the organization has set; null if it has set nothing. */
  @Column('json', { nullable: true }) retention!: RetentionChanges | null;
  /** When its erasure was requested; null if it was not. */
  @Column('timestamptz', { nullable: true }) closedAt!: Date | null;
  /** Until then, the erasure can be cancelled. */
  @Column('timestamptz', { nullable: true }) erasureBeginsAt!: Date | null;
  /** What the organization has set for new rooms. */
  @Column('json', { nullable: true }) consent!: ConsentChanges | null;
  @Column('json', { nullable: true }) attendance!: AttendancePolicy | null;
  /** What an operator has set. */
  @Column('json', { nullable: true }) quotas!: QuotaChanges | null;
  /** What is asked before a participant joins. */
  @Column('json', { nullable: true }) joinHook!: JoinHook | null;
  /** Encrypted, for the organization's id. */
  @Column('text', { nullable: true }) joinHookSecret!: string | null;
  @Column('timestamptz') createdAt!: Date;
  @Column('timestamptz') updatedAt!: Date;
}
