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
}

@Injectable()
export class ParticipantsRepository {
  async lock(tx: Transaction, sid: string, uid: string): Promise<ParticipantRow | undefined> {
    const [row] = await tx.query<ParticipantRow & Record<string, unknown>>(
      `SELECT uid, name, role, photo_url AS "photoURL", session_number AS "sessionNumber",
              session_opened_at AS "sessionOpenedAt", removed_at AS "removedAt"
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

  async markRemoved(tx: Transaction, sid: string, uid: string, at: Date): Promise<void> {
    await tx.query('UPDATE participants SET removed_at = $3, session_number = session_number + 1 WHERE sid = $1 AND uid = $2', [
      sid,
      uid,
      at,
    ]);
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
