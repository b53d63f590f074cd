import { z } from 'zod';
import { defineOperation } from '../kernel/operation.js';
import { organizationId } from '../kernel/ids.js';
import { queryIntegerOr } from '../kernel/query.js';
import { schemaHints } from '../kernel/schema-hints.js';
import { publicEvent, publicEventType } from './public-events.js';

const ONE_TYPE = `\\s*(${publicEventType.options.join('|').replaceAll('.', '\\.')})\\s*`;

export const listEvents = defineOperation({
  operationId: 'listEvents',
  summary: 'List events',
  description: 'Returns the events of an organization in the last 30 days, in order and without gaps.',
  tag: 'Events',
  sdk: 'events.list',
  route: 'GET /v1/events',
  auth: 'organization',
  scope: 'events:read',
  service: 'organization',
  rpc: 'event.list',
  query: z.object({
    after: z
      .string()
      .regex(/^\d{1,15}$/, 'must be a nextCursor or an event’s sequence')
      .optional()
      .describe(
        '`nextCursor` of the previous page, or the `sequence` of the last event that you have. Default: 0, the earliest event that is kept.',
      ),
    types: z
      .string()
      .register(schemaHints, { pattern: `^${ONE_TYPE}(,${ONE_TYPE})*$` })
      .transform((value) => value.split(',').map((type) => type.trim()))
      .pipe(z.array(publicEventType))
      .optional()
      .describe('Event types, separated by commas. Default: all.'),
    limit: queryIntegerOr(100, { min: 1, max: 1_000 }).describe('Events per page, 1 to 1,000. Default: 100.'),
  }),
  input: z.object({
    organizationId,
    after: z.number().int().min(0),
    types: z.array(publicEventType).optional(),
    limit: z.number().int().min(1).max(1_000),
  }),
  toInput: ({ query: { after, ...page } }) => ({ ...page, after: Number(after ?? 0) }),
  output: z.object({
    events: z.array(publicEvent).describe('The events, in the order of `sequence`.'),
    nextCursor: z.string().describe('Cursor (`after`) for the next call, now or later. Always present.'),
    hasMore: z.boolean().describe('Whether more events can be read now.'),
    earliestSequence: z
      .number()
      .int()
      .nullable()
      .describe(
        'The earliest `sequence` that is kept; null if there is none. If `after` + 1 is below it, you have missed events that expired.',
      ),
  }),
  message: 'Events',
  example: { query: { after: '0', limit: 2 } },
});
