import { Injectable } from '@nestjs/common';
import type { RecordingFact } from '@classroom/contracts';
import { Database, type RowOf, type Transaction } from '@classroom/persistence';
import { sql } from '../schema/sql.js';

const save = sql(
  'room-recordings.save',
  `INSERT INTO room_recordings (egress_id, sid, status, version, started_at, is_paused) VALUES ($1, $2, $3, $4, $5, $6)
   ON CONFLICT (egress_id) DO UPDATE SET status = $3, version = $4, started_at = $5, is_paused = $6
     WHERE room_recordings.version < $4 AND room_recordings.sid = excluded.sid RETURNING 1`,
);

/** One that has not ended comes first, because a later one may have failed at once. */
const findLatest = sql(
  'room-recordings.findLatest',
  `SELECT egress_id AS "egressId", status, is_paused AS "isPaused" FROM room_recordings WHERE sid = $1
    ORDER BY status IN ('STARTING', 'ACTIVE', 'ENDING') DESC, started_at DESC LIMIT 1`,
);

export type RecordingProjection = Pick<RecordingFact, 'sid' | 'egressId' | 'status' | 'version' | 'startedAt' | 'isPaused'>;

const RUNNING: readonly string[] = ['STARTING', 'ACTIVE', 'ENDING'];

@Injectable()
export class RoomRecordingsRepository {
  constructor(private readonly database: Database) {}

  /** @returns false if this version or a later one is already stored, or the recording belongs to another room */
  async save(tx: Transaction, { egressId, sid, status, version, startedAt, isPaused }: RecordingProjection): Promise<boolean> {
    return (await tx.run(save, egressId, sid, status, version, startedAt, isPaused)).length > 0;
  }

  /** The latest recording, if it is starting, running, being finished, or paused. */
  async findCurrent(sid: string): Promise<RowOf<typeof findLatest> | undefined> {
    const latest = await this.database.first(findLatest, sid);
    return latest && (latest.isPaused || RUNNING.includes(latest.status)) ? latest : undefined;
  }
}
