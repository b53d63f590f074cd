import type { LedgerEntry } from '@classroom/contracts';
import { Decimal } from 'decimal.js';
import type { LedgerEntryEntity } from '../schema/ledger-entry.entity.js';
import { signedCredits } from './entry-sides.js';

/** Money becomes a number only here, in the response. */
export const money = (credits: number, rate: string) => new Decimal(credits).times(rate).toNumber();

/** @param row with the title of the room, in lists */
export function toLedgerEntry(row: LedgerEntryEntity & { roomTitle?: string | null }): LedgerEntry {
  const credits = signedCredits(row);
  return {
    entryId: row.entryId,
    kind: row.kind,
    credits,
    debitAccount: row.debitAccount,
    creditAccount: row.creditAccount,
    creditRate: Number(row.creditRate),
    amount: money(credits, row.creditRate),
    currency: row.currency,
    recordedAt: row.recordedAt.toISOString(),
    reference: row.reference,
    note: row.note,
    roomId: row.roomId,
    ...(row.roomTitle === undefined ? {} : { roomTitle: row.roomTitle }),
    sid: row.sid,
    meterSequence: row.meterSequence,
    meterVersion: row.meterVersion,
    chargedThrough: row.chargedThrough?.toISOString() ?? null,
    correctsEntryId: row.correctsEntryId,
    settles: row.settles,
  };
}
