import { Injectable } from '@nestjs/common';
import { Database } from '@classroom/persistence';
import type { AccountRow } from './account.row.js';

@Injectable()
export class Classrooms {
  constructor(private readonly database: Database) {}

  /** Classes that began in the account's open cycle; 0 for a prepaid account, which has none. */
  async inOpenCycle({ organizationId, cycleStart, cycleEnd }: AccountRow): Promise<number> {
    if (!cycleStart || !cycleEnd) return 0;
    const [row] = await this.database.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM room_meters WHERE organization_id = $1 AND started_at >= $2 AND started_at < $3',
      [organizationId, cycleStart, cycleEnd],
    );
    return row?.count ?? 0;
  }
}
