import { Injectable } from '@nestjs/common';
import { Database, type RowOf, type Transaction } from '@classroom/persistence';
import { AiUsageEntity } from '../schema/ai-usage.entity.js';
import { sql } from '../schema/sql.js';

const list = sql.planned(
  'ai-usages.list',
  `SELECT usage_id AS "usageId", kind, input_tokens AS "inputTokens", output_tokens AS "outputTokens", credits, total, used_at AS "usedAt",
          (SELECT room_id FROM room_meters m WHERE m.organization_id = $1 AND m.sid = ai_usages.sid) AS "roomId"
     FROM ai_usages WHERE organization_id = $1 AND ai_sequence = $2 AND ($3::numeric IS NULL OR total > $3) ORDER BY total LIMIT $4`,
);

const sum = sql(
  'ai-usages.sum',
  `SELECT ceil(max(total))::float8 AS "credits", max(total) = min(total - credits) + sum(credits) AS "isComplete"
     FROM ai_usages WHERE organization_id = $1 AND ai_sequence = $2`,
);

export type ListedAiUsage = RowOf<typeof list>;

@Injectable()
export class AiUsagesRepository {
  constructor(private readonly database: Database) {}

  async add(tx: Transaction, usage: AiUsageEntity): Promise<void> {
    await tx.manager.insert(AiUsageEntity, usage);
  }

  /** The usage that the organization's entry with this AI sequence charges, in the order of `total`, after `after`. */
  list(organizationId: string, aiSequence: number, after: string | undefined, limit: number): Promise<ListedAiUsage[]> {
    return this.database.run(list, organizationId, aiSequence, after ?? null, limit);
  }

  /**
   * Credits of all usage up to that of the entry, rounded up, and whether no usage of the entry is missing. Undefined for an entry of a release
   * that did not record usage.
   */
  async sumThrough(organizationId: string, aiSequence: number): Promise<{ credits: number; isComplete: boolean } | undefined> {
    const { credits, isComplete } = (await this.database.first(sum, organizationId, aiSequence)) ?? {};
    return credits == null ? undefined : { credits, isComplete: isComplete ?? false };
  }
}

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
