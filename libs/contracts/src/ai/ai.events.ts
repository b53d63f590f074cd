import { z } from 'zod';
import { defineEvent } from '../kernel/events.js';
import { timestamp } from '../kernel/values.js';

/** One model call of an organization that pays for AI in credits. `credits` is a decimal; only billing rounds it. */
export const usageRecorded = defineEvent({
  service: 'ai',
  noun: 'usage',
  happened: 'recorded',
  data: z.object({
    organizationId: z.string(),
    usageId: z.string(),
    /** The sid of the room in which the question was asked; null outside a room. */
    sid: z.string().nullable(),
    kind: z.string(),
    inputTokens: z.number().int(),
    outputTokens: z.number().int(),
    credits: z.string(),
    at: timestamp,
  }),
});
