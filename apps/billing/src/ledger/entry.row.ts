import type { EntryKind, LedgerEntry } from '@classroom/contracts';
import { Decimal } from 'decimal.js';

/** A row of `ledger_entries` under the names of `ENTRY_COLUMNS`; numeric and bigint come as text. */
export interface EntryRow {
  entryId: string;
  position: string;
  kind: EntryKind;
  debitAccount: string;
  creditAccount: string;
  credits: number;
  creditRate: string;
  currency: string;
  recordedAt: Date;
  reference: string | null;
  note: string | null;
  sid: string | null;
  roomId: string | null;
  meterSequence: number | null;
  meterVersion: number | null;
  totalSeconds: number | null;
  chargedThrough: Date | null;
  correctsEntryId: string | null;
  settles: LedgerEntry['settles'];
}

export const ENTRY_COLUMNS = `
  entry_id AS "entryId", position, kind, debit_account AS "debitAccount", credit_account AS "creditAccount",
  credits::float8 AS credits, credit_rate AS "creditRate", currency, recorded_at AS "recordedAt", reference, note, sid,
  room_id AS "roomId", meter_sequence AS "meterSequence", meter_version::float8 AS "meterVersion",
  total_seconds::float8 AS "totalSeconds", charged_through AS "chargedThrough", corrects_entry_id AS "correctsEntryId", settles`;

/** The organization's own account; the world's sides are `funding` (what it buys) and `usage` (what it uses). */
export const CUSTOMER = 'customer';
const WORLD: Record<EntryKind, string> = {
  OPENING: 'funding',
  TOP_UP: 'funding',
  CORRECTION: 'funding',
  CHARGE: 'usage',
  ADJUSTMENT: 'usage',
  AI_USAGE: 'usage',
};

/** Both sides of an entry, from what it does to the organization's balance: positive adds. */
export function sidesOf(kind: EntryKind, signedCredits: number) {
  const world = WORLD[kind];
  return signedCredits > 0
    ? { debitAccount: world, creditAccount: CUSTOMER, credits: signedCredits }
    : { debitAccount: CUSTOMER, creditAccount: world, credits: -signedCredits };
}

export const signedCredits = (row: EntryRow) => (row.creditAccount === CUSTOMER ? row.credits : -row.credits);

/** Money becomes a number here, at the edge, and nowhere else. */
export const money = (credits: number, rate: string) => new Decimal(credits).times(rate).toNumber();

export function toLedgerEntry(row: EntryRow): LedgerEntry {
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
    sid: row.sid,
    meterSequence: row.meterSequence,
    meterVersion: row.meterVersion,
    chargedThrough: row.chargedThrough?.toISOString() ?? null,
    correctsEntryId: row.correctsEntryId,
    settles: row.settles,
  };
}
