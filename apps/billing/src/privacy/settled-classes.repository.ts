import { Injectable } from '@nestjs/common';
import type { Holder } from '@classroom/messaging';
import { Database } from '@classroom/persistence';
import { sql } from '../schema/sql.js';

const find = sql.planned(
  'settled-classes.find',
  `SELECT sid AS key, settled_at AS "since!" FROM room_meters
    WHERE organization_id = $1 AND (settled_at, sid) > ($2, $3) AND settled_at <= $4 ORDER BY settled_at, sid LIMIT $5`,
);

@Injectable()
export class SettledClassesRepository {
  constructor(private readonly database: Database) {}

  /** Classes whose charges are final, after a position and up to a time, in the order in which they were settled. */
  find(organizationId: string, after: Holder, before: Date, limit: number): Promise<Holder[]> {
    return this.database.run(find, organizationId, after.since, after.key, before, limit);
  }
}
