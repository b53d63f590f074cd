import { Injectable } from '@nestjs/common';
import type { Transaction } from '@classroom/persistence';
import { isMediaToken, tokenIssuedAt, type LiveKitParticipant } from './livekit-person.js';

/** Where people's sessions came from. Reports alone show it: neither the page nor LiveKit ever gets an address. */
@Injectable()
export class SessionAddresses {
  /** A session was opened or renewed from `address`; a row for each change of it. The participant's row must be locked by `tx`. */
  async note(tx: Transaction, sid: string, uid: string, address: string | null, at: Date): Promise<void> {
    await tx.query(
      `INSERT INTO session_addresses (sid, uid, since, address) SELECT $1, $2, $3, $4
        WHERE $4::text IS DISTINCT FROM (
                SELECT address FROM session_addresses WHERE sid = $1 AND uid = $2 AND since <= $3 ORDER BY since DESC LIMIT 1)
       ON CONFLICT (sid, uid, since) DO UPDATE SET address = excluded.address`,
      [sid, uid, at, address],
    );
  }

  /** By connection: the address of the session whose media token it was made by. None for who came by a join token alone. */
  async of(tx: Transaction, sid: string, participants: readonly LiveKitParticipant[]): Promise<ReadonlyMap<string, string>> {
    const fromSession = participants.filter(isMediaToken);
    if (fromSession.length === 0) return new Map();
    const rows = await tx.query<{ connectionSid: string; address: string }>(
      `SELECT c.connection_sid AS "connectionSid", a.address
         FROM unnest($2::text[], $3::text[], $4::timestamptz[]) AS c(connection_sid, uid, issued_at)
         JOIN LATERAL (SELECT address FROM session_addresses WHERE sid = $1 AND uid = c.uid AND since <= c.issued_at
                        ORDER BY since DESC LIMIT 1) a ON a.address IS NOT NULL`,
      [
        sid,
        fromSession.map((participant) => participant.sid ?? ''),
        fromSession.map(({ identity }) => identity ?? ''),
        fromSession.map((participant) => new Date(tokenIssuedAt(participant))),
      ],
    );
    return new Map(rows.map(({ connectionSid, address }) => [connectionSid, address]));
  }
}
