import { z } from 'zod';
import { defineEvent } from '../kernel/events.js';
import { timestamp } from '../kernel/ids.js';

/** One call of a model, where the organization pays for AI in credits; `credits` is a decimal, rounded by billing alone. */
export const usageRecorded = defineEvent({
  service: 'ai',
  noun: 'usage',
  happened: 'recorded',
  data: z.object({
    organizationId: z.string(),
    usageId: z.string(),
    /** The room's sid, where it was asked in one. */
    sid: z.string().nullable(),
    kind: z.string(),
    inputTokens: z.number().int(),
    outputTokens: z.number().int(),
    credits: z.string(),
    at: timestamp,
  }),
});
