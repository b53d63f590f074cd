import { z } from 'zod';
import { defineEvent } from '../kernel/events.js';
import { timestamp } from '../kernel/values.js';

export const boardFormat = z.enum(['json', 'svg', 'png', 'pdf']);

/** The board, or a page of it, was given to the organization's backend. */
export const boardExported = defineEvent({
  service: 'room',
  noun: 'board',
  happened: 'exported',
  data: z.object({ organizationId: z.string(), sid: z.string(), roomId: z.string(), format: boardFormat, exportedAt: timestamp }),
});
