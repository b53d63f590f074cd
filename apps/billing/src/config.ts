import { persistenceConfig } from '@classroom/persistence';
import { baseConfig, loadConfig } from '@classroom/platform';
import { z } from 'zod';

const schema = baseConfig.extend(persistenceConfig.shape).extend({
  /** Jobs: no eviction, append-only file. */
  REDIS_URL: z.string().min(1),
  /** A live room is charged at least this often. */
  ROLLUP_SECONDS: z.coerce.number().int().min(1).default(60),
  /** How long a finished room's fold may lag before its connections are fetched from the room service. */
  CATCH_UP_SECONDS: z.coerce.number().int().min(1).default(60),
  /** Remaining credits below which credits.low is said, once until a top-up lifts the balance above it. */
  CREDITS_LOW_THRESHOLD: z.coerce.number().int().min(0).default(100),
});
export type BillingConfig = z.infer<typeof schema>;
export const readConfig = () => loadConfig(schema);
