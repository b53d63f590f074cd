import { Injectable } from '@nestjs/common';
import type { Role } from '@classroom/contracts';
import type { Transaction } from '@classroom/persistence';

export interface ParticipantRow {
  uid: string;
  name: string;
  role: Role;
  photoURL: string | null;
  sessionNumber: number;
  sessionOpenedAt: Date | null;
  removedAt: Date | null;
  /** A student who may use the microphone for now. */
  maySpeak: boolean;
}

/** As many as a lobby can show. */
const NAMES = 4;

@Injectable()
export class ParticipantsRepository {
  async lock(tx: Transaction, sid: string, uid: string): Promise<ParticipantRow | undefined> {
    const [row] = await tx.query<ParticipantRow & Record<string, unknown>>(
      `SELECT uid, name, role, photo_url AS "photoURL", session_number AS "sessionNumber",
              session_opened_at AS "sessionOpenedAt", removed_at AS "removedAt",
              speaks_since IS NOT NULL AS "maySpeak"
         FROM participants WHERE sid = $1 AND uid = $2 FOR UPDATE`,
      [sid, uid],
    );
    return row;
  }

  /** A page opened its session: an older page's is replaced. */
  async openSession(tx: Transaction, sid: string, uid: string, sessionNumber: number, at: Date): Promise<void> {
    await tx.query('UPDATE participants SET session_number = $3, session_opened_at = $4 WHERE sid = $1 AND uid = $2', [
      sid,
      uid,
      sessionNumber,
      at,
    ]);
  }

  /** `version` is the class's: those who are there are told. */
  async markRemoved(tx: Transaction, sid: string, uid: string, at: Date, version: number): Promise<void> {
    await tx.query(
      `UPDATE participants SET removed_at = $3, removed_version = $4, session_number = session_number + 1,
              hand_raised_at = NULL, speaks_since = NULL, allowed_by = NULL
        WHERE sid = $1 AND uid = $2`,
      [sid, uid, at, version],
    );
  }

  /** Who is connected beside `uid`: how many, and the names of some, teachers first. */
  async present(tx: Transaction, sid: string, uid: string): Promise<{ count: number; names: string[] }> {
    const rows = await tx.query<{ name: string; count: number }>(
      `SELECT name, count(*) OVER ()::int AS count FROM (
         SELECT DISTINCT ON (uid) uid, name, role, joined_at FROM connections
          WHERE sid = $1 AND uid <> $2 AND left_at IS NULL AND is_counted ORDER BY uid, joined_at DESC) p
        ORDER BY role <> 'TEACHER', joined_at LIMIT ${NAMES}`,
      [sid, uid],
    );
    return { count: rows[0]?.count ?? 0, names: rows.map(({ name }) => name) };
  }

  /** Whether the participant is connected, and when it last left (null where it was never there). */
  async connection(tx: Transaction, sid: string, uid: string): Promise<{ isConnected: boolean; lastLeftAt: Date | null }> {
    const [row] = await tx.query<{ isConnected: boolean; lastLeftAt: Date | null }>(
      `SELECT coalesce(bool_or(left_at IS NULL), false) AS "isConnected", max(left_at) AS "lastLeftAt"
         FROM connections WHERE sid = $1 AND uid = $2 AND is_counted`,
      [sid, uid],
    );
    return row ?? { isConnected: false, lastLeftAt: null };
  }
}
