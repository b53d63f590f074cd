import { Injectable } from '@nestjs/common';
import { Database, type RowOf } from '@classroom/persistence';
import { sql } from '../schema/sql.js';

const STARTED_IN = 'organization_id = $1 AND started_at >= $2 AND started_at < $3';

const sumDays = sql(
  'usage.sumDays',
  `SELECT to_char(started_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS "day!", count(*)::int4 AS "classes!", sum(charged_credits)::float8 AS "credits!"
     FROM room_meters WHERE ${STARTED_IN} GROUP BY 1 ORDER BY 1`,
);

const listClasses = sql(
  'usage.listClasses',
  `SELECT room_id AS "roomId", title, started_at AS "startedAt!", ended_at AS "endedAt", charged_credits AS credits
     FROM room_meters WHERE ${STARTED_IN} ORDER BY charged_credits DESC, room_meters.started_at, sid LIMIT $4`,
);

/** What the classes of a period have been charged. Each class belongs to the day on which it began. */
@Injectable()
export class UsageRepository {
  constructor(private readonly database: Database) {}

  /** By day in UTC, oldest first. @param until exclusive */
  sumDays(organizationId: string, from: Date, until: Date): Promise<RowOf<typeof sumDays>[]> {
    return this.database.run(sumDays, organizationId, from, until);
  }

  /** Those with the most credits first. @param until exclusive */
  listClasses(organizationId: string, from: Date, until: Date, limit: number): Promise<RowOf<typeof listClasses>[]> {
    return this.database.run(listClasses, organizationId, from, until, limit);
  }
}
