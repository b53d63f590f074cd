import { Injectable } from '@nestjs/common';
import type { RowOf, Transaction } from '@classroom/persistence';
import { sql } from '../schema/sql.js';

/** `used`: the total usage so far. `due`: its whole credits. The total is rounded up once. */
const add = sql(
  'ai-meters.add',
  `INSERT INTO ai_meters AS m (organization_id, used) VALUES ($1, $2)
   ON CONFLICT (organization_id) DO UPDATE SET used = m.used + $2
   RETURNING used, ceil(used)::float8 AS "due!", charged_credits AS charged, sequence`,
);

const recordCharged = sql(
  'ai-meters.recordCharged',
  'UPDATE ai_meters SET charged_credits = $2, sequence = sequence + 1 WHERE organization_id = $1',
);

@Injectable()
export class AiMetersRepository {
  /** @param credits decimal with all its digits */
  async add(tx: Transaction, organizationId: string, credits: string): Promise<RowOf<typeof add>> {
    const meter = await tx.first(add, organizationId, credits);
    if (!meter) throw new Error('a meter that was just written is not there');
    return meter;
  }

  /** Records that all `due` credits of the meter were posted. */
  async recordCharged(tx: Transaction, organizationId: string, due: number): Promise<void> {
    await tx.run(recordCharged, organizationId, due);
  }
}
