import { Injectable } from '@nestjs/common';
import type { RecordingFact } from '@classroom/contracts';
import { Database, type RowOf, type Transaction } from '@classroom/persistence';
import { sql } from '../schema/sql.js';

const save = sql(
  'room-recordings.save',
  `INSERT INTO room_recordings (egress_id, sid, status, version, started_at) VALUES ($1, $2, $3, $4, $5)
   ON CONFLICT (egress_id) DO UPDATE SET status = $3, version = $4, started_at = $5
     WHERE room_recordings.version < $4 AND room_recordings.sid = excluded.sid RETURNING 1`,
);

const findRunning = sql(
  'room-recordings.findRunning',
  `SELECT egress_id AS "egressId", status FROM room_recordings
    WHERE sid = $1 AND status IN ('STARTING', 'ACTIVE', 'ENDING') ORDER BY started_at DESC LIMIT 1`,
);

export type RecordingProjection = Pick<RecordingFact, 'sid' | 'egressId' | 'status' | 'version' | 'startedAt'>;

@Injectable()
export class RoomRecordingsRepository {
  constructor(private readonly database: Database) {}

  /** @returns false if this version or a later one is already stored, or the recording belongs to another room */
  async save(tx: Transaction, { egressId, sid, status, version, startedAt }: RecordingProjection): Promise<boolean> {
    return (await tx.run(save, egressId, sid, status, version, startedAt)).length > 0;
  }

  /** The recording that is starting, running or being finished. */
  async findRunning(sid: string): Promise<RowOf<typeof findRunning> | undefined> {
    return this.database.first(findRunning, sid);
  }
}
