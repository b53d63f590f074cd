import { Injectable } from '@nestjs/common';
import type { RetainedClass } from '@classroom/contracts';
import { Database, type RowOf } from '@classroom/persistence';
import { sql } from '../schema/sql.js';

/** Classes have data of the other kinds as soon as a participant was there. */
const count = sql.planned(
  'old-classes.count',
  `SELECT count(*) FILTER (WHERE ended_at <= $4) AS "old!", count(*) AS "all!", min(ended_at) FILTER (WHERE ended_at <= $4) AS "oldestAt"
     FROM (SELECT coalesce(finished_at, ended_at) AS ended_at FROM rooms
            WHERE organization_id = $1 AND state = 'finished' AND started_at IS NOT NULL AND coalesce(finished_at, ended_at) > $3
              AND CASE $2::text WHEN 'chat' THEN EXISTS (SELECT FROM chat_messages m WHERE m.sid = rooms.sid)
                                WHEN 'polls' THEN EXISTS (SELECT FROM polls p WHERE p.sid = rooms.sid)
                                WHEN 'board' THEN EXISTS (SELECT FROM board_elements b WHERE b.sid = rooms.sid)
                                WHEN 'engagement' THEN EXISTS (SELECT FROM participant_minutes m WHERE m.sid = rooms.sid)
                                ELSE true END) AS classes`,
);

/** Counts classes with data of one kind, by their ends. */
@Injectable()
export class OldClassesRepository {
  constructor(private readonly database: Database) {}

  async count(organizationId: string, dataClass: RetainedClass, since: Date, before: Date): Promise<RowOf<typeof count>> {
    const row = await this.database.first(count, organizationId, dataClass, since, before);
    return row ?? { old: 0, all: 0, oldestAt: null };
  }
}
