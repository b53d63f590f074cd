import { z } from 'zod';
import { defineEvent } from '../kernel/events.js';

const data = z.object({
  organizationId: z.string(),
  documentId: z.string(),
  roomId: z.string(),
  sid: z.string(),
  title: z.string(),
});

export const documentConverted = defineEvent({
  service: 'media',
  noun: 'document',
  happened: 'converted',
  data: data.extend({ pages: z.number().int() }),
});
export const documentFailed = defineEvent({
  service: 'media',
  noun: 'document',
  happened: 'failed',
  /** `reason`: for users. */
  data: data.extend({ reason: z.string() }),
});
