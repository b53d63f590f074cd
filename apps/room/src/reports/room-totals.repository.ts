import { Injectable } from '@nestjs/common';
import { Database, type RowOf } from '@classroom/persistence';
import { sql } from '../schema/sql.js';

/** Reads by the indexes of live and of created rooms. Rooms that were released from LiveKit, which may be many, are among the created ones. */
const totals = sql.planned(
  'room-totals.read',
  `SELECT count(*) FILTER (WHERE state = 'live') AS "live!", count(*) FILTER (WHERE state = 'created') AS "created!",
          coalesce(sum(participant_count), 0) AS "participants!",
          (SELECT count(*) FROM live_rooms WHERE reconcile_at <= $1 AND retry_at IS NULL) AS "overdue!",
          min(verified_at) FILTER (WHERE state = 'live' AND participant_count > 0) AS "verifiedAt"
     FROM rooms WHERE state IN ('live', 'created')`,
);

@Injectable()
export class RoomTotalsRepository {
  constructor(private readonly database: Database) {}

  async read(now: Date): Promise<RowOf<typeof totals>> {
    const row = await this.database.first(totals, now);
    return row ?? { live: 0, created: 0, participants: 0, overdue: 0, verifiedAt: null };
  }
}
