import type { EntryKind, LedgerEntry } from '@classroom/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** `customer` is the organization's account. The other sides are `funding` (credits it buys) and `usage` (credits it uses). */
export type LedgerSide = 'customer' | 'funding' | 'usage';

/** A double entry; the table is append-only. Each row moves `credits` (positive) from the debited to the credited account. */
@Entity('ledger_entries')
export class LedgerEntryEntity {
  @PrimaryColumn('uuid') entryId!: string;
  @Column('bigint') position!: number;
  @PrimaryColumn('text') organizationId!: string;
  @Column('text') kind!: EntryKind;
  @Column('text') debitAccount!: LedgerSide;
  @Column('text') creditAccount!: LedgerSide;
  @Column('bigint') credits!: number;
  @Column('numeric') creditRate!: string;
  @Column('text') currency!: string;
  @Column('timestamptz', { nullable: true }) cycleStart!: Date | null;
  @Column('timestamptz') recordedAt!: Date;
  @Column('text', { nullable: true }) reference!: string | null;
  @Column('text', { nullable: true }) note!: string | null;
  @Column('text', { nullable: true }) sid!: string | null;
  @Column('text', { nullable: true }) roomId!: string | null;
  @Column('integer', { nullable: true }) meterSequence!: number | null;
  @Column('bigint', { nullable: true }) meterVersion!: number | null;
  @Column('bigint', { nullable: true }) totalSeconds!: number | null;
  @Column('timestamptz', { nullable: true }) chargedThrough!: Date | null;
  @Column('uuid', { nullable: true }) correctsEntryId!: string | null;
  @Column('integer', { nullable: true }) aiSequence!: number | null;
  @Column('text', { nullable: true }) settles!: LedgerEntry['settles'];
}
