import type { EntryKind, LedgerEntry } from '@classroom/contracts';
import { Decimal } from 'decimal.js';
import type { LedgerEntryEntity, LedgerSide } from '../schema/ledger-entry.entity.js';

const CUSTOMER = 'customer';
const COUNTERPARTIES: Record<EntryKind, LedgerSide> = {
  OPENING: 'funding',
  TOP_UP: 'funding',
  CORRECTION: 'funding',
  CHARGE: 'usage',
  ADJUSTMENT: 'usage',
  AI_USAGE: 'usage',
};

/** Both sides of an entry, from its effect on the organization's balance: a positive number adds credits. */
export function sidesOf(kind: EntryKind, signedCredits: number): Pick<LedgerEntryEntity, 'debitAccount' | 'creditAccount' | 'credits'> {
  const counterparty = COUNTERPARTIES[kind];
  return signedCredits > 0
    ? { debitAccount: counterparty, creditAccount: CUSTOMER, credits: signedCredits }
    : { debitAccount: CUSTOMER, creditAccount: counterparty, credits: -signedCredits };
}

export const signedCredits = ({ creditAccount, credits }: Pick<LedgerEntryEntity, 'creditAccount' | 'credits'>) =>
  creditAccount === CUSTOMER ? credits : -credits;

/** The credits that an entry takes from the organization, in SQL: negative if it adds some. */
export const TAKEN = `CASE WHEN debit_account = '${CUSTOMER}' THEN credits ELSE -credits END`;

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
