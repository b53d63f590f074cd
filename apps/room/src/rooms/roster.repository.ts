import { Injectable } from '@nestjs/common';
import { MAX_ROSTER, type RosterEntry } from '@classroom/contracts';
import { Database, type RowOf, type Transaction } from '@classroom/persistence';
import { RosterEntryEntity } from '../schema/roster-entry.entity.js';
import { sql } from '../schema/sql.js';

const list = sql('roster.list', `SELECT uid, name FROM roster_entries WHERE sid = $1 AND uid > $2 ORDER BY uid LIMIT ${MAX_ROSTER}`);

const add = sql(
  'roster.add',
  'INSERT INTO roster_entries (organization_id, sid, uid, name) SELECT $1, $2, uid, name FROM unnest($3::text[], $4::text[]) AS t(uid, name)',
);

const deleteFrom = sql.planned(
  'roster.deleteFrom',
  'DELETE FROM roster_entries WHERE sid = ANY($1) AND ($2::text IS NULL OR uid = $2) RETURNING 1',
);

/** The only writer of `roster_entries`. */
@Injectable()
export class RosterRepository {
  constructor(private readonly database: Database) {}

  /** In the order of uids, after `after`. @param queries the caller's transaction, if it has one */
  list(sid: string, after = '', queries: Pick<Transaction, 'run'> = this.database): Promise<RowOf<typeof list>[]> {
    return queries.run(list, sid, after);
  }

  async count(sid: string): Promise<number> {
    return this.database.manager.countBy(RosterEntryEntity, { sid });
  }

  /** `tx` must hold the room's lock, or have created the room. */
  async replace(tx: Transaction, room: { organizationId: string; sid: string }, people: readonly RosterEntry[]): Promise<void> {
    await tx.run(deleteFrom, [room.sid], null);
    if (people.length === 0) return;
    const [uids, names] = [people.map(({ uid }) => uid), people.map(({ name }) => name ?? null)];
    await tx.run(add, room.organizationId, room.sid, uids, names);
  }

  /** @param uid null: everyone in these classes @returns how many people */
  async deleteFrom(tx: Transaction, sids: readonly string[], uid: string | null = null): Promise<number> {
    return (await tx.run(deleteFrom, sids, uid)).length;
  }
}
