import { z } from 'zod';
import { defineJob } from '../kernel/jobs.js';

export const creditRollUp = defineJob({ queue: 'credit-rollup', data: z.object({ accountId: z.string() }) });
