import type { CreditAlerts } from '@classroom/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** One organization's credits. `balance` and `cycleCredits` are derived from the ledger and updated in its transactions. */
@Entity('accounts')
export class AccountEntity {
  @PrimaryColumn('text') organizationId!: string;
  @Column('uuid') accountId!: string;
  @Column('text') billingType!: 'PREPAID' | 'POSTPAID';
  @Column('numeric') creditRate!: string;
  @Column('text') currency!: string;
  @Column('text', { nullable: true }) billingFrequency!: 'WEEKLY' | 'MONTHLY' | null;
  @Column('timestamptz', { nullable: true }) cycleAnchor!: Date | null;
  @Column('timestamptz', { nullable: true }) cycleStart!: Date | null;
  @Column('timestamptz', { nullable: true }) cycleEnd!: Date | null;
  @Column('bigint') cycleCredits!: number;
  @Column('bigint') balance!: number;
  @Column('bigint') version!: number;
  @Column('boolean') isLow!: boolean;
  @Column('timestamptz') planUpdatedAt!: Date;
  /** Null: none are set. */
  @Column('json', { nullable: true }) alerts!: CreditAlerts | null;
}
