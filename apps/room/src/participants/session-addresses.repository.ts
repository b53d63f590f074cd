import { Injectable } from '@nestjs/common';
import { arraysOf, type RowOf, type Transaction } from '@classroom/persistence';
import { sql } from '../schema/sql.js';

const record = sql(
  'session-addresses.record',
  `INSERT INTO session_addresses (sid, uid, since, address) SELECT $1, $2, $3, $4
    WHERE $4::text IS DISTINCT FROM (
            SELECT address FROM session_addresses WHERE sid = $1 AND uid = $2 AND since <= $3 ORDER BY since DESC LIMIT 1)
   ON CONFLICT (sid, uid, since) DO UPDATE SET address = excluded.address RETURNING 1`,
);

/** Rows of a participant. Older ones are of tokens with which connections were made long ago. */
const MAX_ADDRESSES = 100;
const trim = sql(
  'session-addresses.trim',
  `DELETE FROM session_addresses WHERE sid = $1 AND uid = $2
      AND since <= (SELECT since FROM session_addresses WHERE sid = $1 AND uid = $2 ORDER BY since DESC OFFSET $3 LIMIT 1)`,
);

const findAtIssue = sql(
  'session-addresses.findAtIssue',
  `SELECT c.connection_sid AS "connectionSid!", a.address AS "address!"
     FROM unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[]) AS c(sid, connection_sid, uid, issued_at)
     JOIN LATERAL (SELECT address FROM session_addresses WHERE sid = c.sid AND uid = c.uid AND since <= c.issued_at
                    ORDER BY since DESC LIMIT 1) a ON a.address IS NOT NULL`,
);

const deleteOf = sql.planned('session-addresses.deleteOf', 'DELETE FROM session_addresses WHERE sid = ANY($1) RETURNING 1');

const deleteBy = sql.planned(
  'session-addresses.deleteBy',
  `DELETE FROM session_addresses a USING unnest($1::text[], $2::text[]) AS p(sid, uid) WHERE a.sid = p.sid AND a.uid = p.uid RETURNING 1`,
);

/** A connection, and when the token with which it was made was signed. */
export interface ConnectionToken {
  sid: string;
  connectionSid: string;
  uid: string;
  issuedAt: Date;
}

@Injectable()
export class SessionAddressesRepository {
  /** Adds a row if the address has changed, and deletes the oldest of very many. `tx` must hold the lock of the participant's row. */
  async record(tx: Transaction, sid: string, uid: string, address: string | null, since: Date): Promise<void> {
    const added = await tx.run(record, sid, uid, since, address);
    if (added.length > 0) await tx.run(trim, sid, uid, MAX_ADDRESSES);
  }

  /** For each connection, the address that was current when its token was signed; connections without an address are omitted. */
  findAtIssue(tx: Transaction, uses: readonly ConnectionToken[]): Promise<RowOf<typeof findAtIssue>[]> {
    return tx.run(findAtIssue, ...arraysOf(uses, 'sid', 'connectionSid', 'uid', 'issuedAt'));
  }

  /** Deletes the addresses of these people. @returns how many */
  async deleteBy(tx: Transaction, people: readonly { sid: string; uid: string }[]): Promise<number> {
    return (await tx.run(deleteBy, ...arraysOf(people, 'sid', 'uid'))).length;
  }

  /** Deletes the addresses of these classes. @returns how many */
  async deleteOf(tx: Transaction, sids: readonly string[]): Promise<number> {
    return (await tx.run(deleteOf, sids)).length;
  }
}
