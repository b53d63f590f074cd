import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { EntryKind, LedgerEntry } from '@classroom/contracts';
import { columnsOf, Database, namedArraysOf, type RowOf, type Transaction } from '@classroom/persistence';
import type { AccountEntity } from '../schema/account.entity.js';
import { LedgerEntryEntity } from '../schema/ledger-entry.entity.js';
import { sql } from '../schema/sql.js';
import { sidesOf, TAKEN } from './ledger-entry.js';

/** An entry to be posted. `signedCredits` is its effect on the organization's balance. */
export interface NewEntry {
  /** A new one if undefined. */
  entryId?: string;
  kind: EntryKind;
  signedCredits: number;
  reference?: string | undefined;
  note?: string | undefined;
  sid?: string;
  roomId?: string;
  sequence?: number;
  meterVersion?: number;
  totalSeconds?: number;
  chargedThrough?: Date | null;
  correctsEntryId?: string | null;
  aiSequence?: number;
  settles?: LedgerEntry['settles'];
}

/** The organization, rate and cycle of entries: those of the present account, or of a plan that has ended. */
export type EntryTerms = Pick<AccountEntity, 'organizationId' | 'creditRate' | 'currency' | 'cycleStart'>;

/** Which entries to list; those with a position below `before`. */
export interface EntryFilter {
  before?: number | undefined;
  kind?: EntryKind | undefined;
  roomId?: string | undefined;
}

const insert = sql(
  'ledger.insert',
  `INSERT INTO ledger_entries (entry_id, organization_id, kind, debit_account, credit_account, credits, credit_rate, currency,
                               cycle_start, recorded_at, reference, note, sid, room_id, meter_sequence, meter_version,
                               total_seconds, charged_through, corrects_entry_id, ai_sequence, settles)
   SELECT entry_id, organization_id, kind, debit, credit, credits, credit_rate, currency, cycle_start, :recordedAt, reference, note, sid, room_id,
          meter_sequence, meter_version, total_seconds, charged_through, corrects, ai_sequence, settles
     FROM unnest(:organizationId::text[], :creditRate::numeric[], :currency::text[], :cycleStart::timestamptz[], :entryId::uuid[], :kind::text[],
                 :debitAccount::text[], :creditAccount::text[], :credits::int8[], :reference::text[], :note::text[], :sid::text[],
                 :roomId::text[], :sequence::int4[], :meterVersion::int8[], :totalSeconds::int8[], :chargedThrough::timestamptz[],
                 :correctsEntryId::uuid[], :aiSequence::int4[], :settles::text[])
       AS t(organization_id, credit_rate, currency, cycle_start, entry_id, kind, debit, credit, credits, reference, note, sid, room_id,
            meter_sequence, meter_version, total_seconds, charged_through, corrects, ai_sequence, settles)`,
);

const page = sql.planned(
  'ledger.page',
  `SELECT ${columnsOf(LedgerEntryEntity)}, (SELECT title FROM room_meters m WHERE m.sid = ledger_entries.sid) AS "roomTitle?" FROM ledger_entries
    WHERE organization_id = $1 AND ($2::int8 IS NULL OR position < $2) AND ($3::text IS NULL OR kind = $3)
      AND ($4::text IS NULL OR sid = (SELECT sid FROM room_meters WHERE organization_id = $1 AND room_id = $4))
    ORDER BY position DESC LIMIT $5`,
);

const CHARGED = `coalesce(sum(${TAKEN}), 0)::float8 AS "credits!"`;

const sumChargedBefore = sql(
  'ledger.sumChargedBefore',
  `SELECT ${CHARGED} FROM ledger_entries WHERE organization_id = $1 AND sid = $2 AND position < $3`,
);

const sumAiChargedBefore = sql(
  'ledger.sumAiChargedBefore',
  `SELECT ${CHARGED} FROM ledger_entries WHERE organization_id = $1 AND ai_sequence < $2`,
);

/** The only change of entries: their amounts stay. */
const forgetRooms = sql('ledger.forgetRooms', 'SELECT erase_ledger_rooms($1, $2)::float8 AS "changed!"');

@Injectable()
export class LedgerRepository {
  constructor(private readonly database: Database) {}

  /** Inserts all entries with one statement. */
  async insert(tx: Transaction, entries: readonly (NewEntry & EntryTerms)[], recordedAt: Date): Promise<void> {
    const rows = entries.map((entry) => ({ entryId: randomUUID(), ...entry, ...sidesOf(entry.kind, entry.signedCredits) }));
    const terms = ['organizationId', 'creditRate', 'currency', 'cycleStart'] as const;
    const entry = ['entryId', 'kind', 'debitAccount', 'creditAccount', 'credits', 'reference', 'note', 'settles'] as const;
    const charge = [
      'sid',
      'roomId',
      'sequence',
      'meterVersion',
      'totalSeconds',
      'chargedThrough',
      'correctsEntryId',
      'aiSequence',
    ] as const;
    await tx.run(insert, { recordedAt, ...namedArraysOf(rows, ...terms, ...entry, ...charge) });
  }

  findByReference(tx: Transaction, organizationId: string, reference: string): Promise<LedgerEntryEntity | null> {
    return tx.manager.findOneBy(LedgerEntryEntity, { organizationId, reference });
  }

  find(organizationId: string, entryId: string): Promise<LedgerEntryEntity | null> {
    return this.database.manager.findOneBy(LedgerEntryEntity, { organizationId, entryId });
  }

  /** Newest first. */
  page(organizationId: string, { before, kind, roomId }: EntryFilter, limit: number): Promise<RowOf<typeof page>[]> {
    return this.database.run(page, organizationId, before ?? null, kind ?? null, roomId ?? null, limit);
  }

  /** Credits that the entries of the same room before this one have charged. */
  async sumChargedBefore({
    organizationId,
    sid,
    position,
  }: Pick<LedgerEntryEntity, 'organizationId' | 'sid' | 'position'>): Promise<number> {
    const row = await this.database.first(sumChargedBefore, organizationId, sid ?? '', position);
    return row?.credits ?? 0;
  }

  /** Credits that the organization's earlier entries of AI usage have charged. */
  async sumAiChargedBefore(organizationId: string, aiSequence: number): Promise<number> {
    const row = await this.database.first(sumAiChargedBefore, organizationId, aiSequence);
    return row?.credits ?? 0;
  }

  /** Names these classes of an organization by their sid. @returns how many entries were changed */
  async forgetRooms(tx: Transaction, organizationId: string, sids: readonly string[]): Promise<number> {
    return (await tx.first(forgetRooms, organizationId, sids))?.changed ?? 0;
  }
}
