import { persistenceConfig } from '@classroom/persistence';
import { baseConfig, loadConfig } from '@classroom/platform';
import { z } from 'zod';

const schema = baseConfig
  .extend(persistenceConfig.shape)
  .extend({
    /** Redis for job queues. It must not evict keys, and must persist with an append-only file. */
    REDIS_URL: z.string().min(1),
    /** Maximum number of seconds between two charges of a live room. */
    ROLLUP_SECONDS: z.coerce.number().int().min(1).default(60),
    /** Prepaid credits below which `credits.low` is published. It is published again only after the balance has been at or above the threshold. */
    CREDITS_LOW_THRESHOLD: z.coerce.number().int().min(0).default(100),
    /** Address of ClickHouse, `http(s)://<user>:<password>@<host>:<port>/<database>`. Workers then copy all sessions to it. */
    REPORTS_CLICKHOUSE_URL: z.url({ protocol: /^https?$/ }).optional(),
    /** Where reports read sessions. Choose `clickhouse` when its copy is complete. Charges are always computed from Postgres. */
    REPORTS_STORE: z.enum(['postgres', 'clickhouse']).default('postgres'),
  })
  .refine(({ REPORTS_STORE, REPORTS_CLICKHOUSE_URL }) => REPORTS_STORE === 'postgres' || REPORTS_CLICKHOUSE_URL, {
    path: ['REPORTS_CLICKHOUSE_URL'],
    message: 'is required with REPORTS_STORE=clickhouse',
  });
export type BillingConfig = z.infer<typeof schema>;
export const readConfig = () => loadConfig(schema);
