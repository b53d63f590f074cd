import { Injectable } from '@nestjs/common';
import { Database, type RowOf } from '@classroom/persistence';
import { sql } from '../schema/sql.js';

const listAttendees = sql.planned(
  'attendance.listAttendees',
  `SELECT uid, (array_agg(name ORDER BY joined_at DESC))[1] AS "name!", (array_agg(role ORDER BY joined_at DESC))[1] AS "role!",
          min(joined_at) AS "firstJoinedAt!", CASE WHEN bool_or(left_at IS NULL) THEN NULL ELSE max(left_at) END AS "lastLeftAt",
          floor(sum(greatest(0, extract(epoch FROM coalesce(left_at, $2) - joined_at))))::int AS "seconds!", count(*) AS "sessions!"
     FROM sessions WHERE sid = $1 AND uid > $3 GROUP BY uid ORDER BY uid LIMIT $4`,
);

export type Attendee = RowOf<typeof listAttendees>;

@Injectable()
export class AttendanceRepository {
  constructor(private readonly database: Database) {}

  /** A room's participants after `after`, by uid. Open sessions count up to `now`. A null `limit` returns all. */
  listAttendees(sid: string, now: Date, after: string, limit: number | null): Promise<Attendee[]> {
    return this.database.run(listAttendees, sid, now, after, limit);
  }
}
