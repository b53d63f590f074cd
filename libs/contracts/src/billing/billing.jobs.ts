import { z } from 'zod';
import { defineJob } from '../kernel/jobs.js';

export const creditRollUp = defineJob({
  queue: 'credit-rollup',
  data: z.object({
    /** The first of `accountIds`; workers of release 0.1 charge only this one. */
    accountId: z.string(),
    accountIds: z.array(z.string()).optional(),
  }),
  /** Accounts whose ids end with the same digit are charged together, so there are at most 16 jobs. */
  keyOf: ({ accountId }) => `rollup-shard-${accountId.slice(-1)}`,
});
