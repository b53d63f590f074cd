import { z } from 'zod';
import { defineEndpoint } from '../kernel/http.js';
import { defineOperation } from '../kernel/operation.js';
import { organizationId, pageOf } from '../kernel/values.js';
import { queryIntegerOr } from '../kernel/fields.js';
import { schemaHints } from '../kernel/reference.js';
import { publicEvent, publicEventType } from './public-events.js';

const ONE_TYPE = `\\s*(${publicEventType.options.join('|').replaceAll('.', '\\.')})\\s*`;

/** A position in the history: the sequence of an event. */
export const eventPosition = z.string().regex(/^\d{1,15}$/, 'must be a nextCursor or an event’s sequence');

const types = z
  .string()
  .register(schemaHints, { pattern: `^${ONE_TYPE}(,${ONE_TYPE})*$` })
  .transform((value) => value.split(',').map((type) => type.trim()))
  .pipe(z.array(publicEventType))
  .optional()
  .describe('Event types, separated by commas. Default: all.');

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
    after: eventPosition
      .optional()
      .describe(
        '`nextCursor` of the previous page, or the `sequence` of the last event that you have. After the end of the history it is refused: the history was restored from a backup, so read it again. Default: 0, the earliest event that is kept.',
      ),
    types,
    limit: queryIntegerOr(100, { min: 1, max: 1_000 }).describe('Events per page, 1 to 1,000. Default: 100.'),
  }),
  input: z.object({
    organizationId,
    after: z.number().int().min(0),
    types: z.array(publicEventType).optional(),
    limit: z.number().int().min(1).max(1_000),
    /** Of a stream, which answers a position after the end of the history by a gap. Otherwise it is refused. */
    mayBeAhead: z.boolean().default(false),
  }),
  toInput: ({ query: { after, ...page } }) => ({ ...page, after: Number(after ?? 0) }),
  output: z.object({
    events: pageOf(publicEvent).describe('The events, in the order of `sequence`.'),
    nextCursor: z.string().describe('Cursor (`after`) for the next call, now or later. Always present.'),
    hasMore: z.boolean().describe('Whether more events can be read now.'),
    earliestSequence: z
      .number()
      .int()
      .nullable()
      .describe(
        'The earliest `sequence` that is kept; null if there is none. If `after` + 1 is below it, you have missed events that expired.',
      ),
    lastSequence: z
      .number()
      .int()
      .describe('The `sequence` of the newest event, whatever `after` and `types` select; 0 before the first event.'),
  }),
  message: 'Events',
  example: { query: { after: '0', limit: 2 } },
});

export const streamEvents = defineEndpoint({
  operationId: 'streamEvents',
  summary: 'Stream events',
  description:
    'Sends events as server-sent events, as soon as they are stored, in the order of the history and without gaps. The answer has no end. A client that connects again with the `id` of the last event continues there.',
  tag: 'Events',
  sdk: 'events.stream',
  route: 'GET /v1/events/stream',
  auth: 'organization',
  scope: 'events:read',
  query: z.object({
    after: eventPosition
      .optional()
      .describe(
        'The `sequence` of the last event that you have. The header `Last-Event-ID` overrides it. Default: now, the end of the history.',
      ),
    types,
  }),
  response: z
    .string()
    .describe(
      'For each event `id` (its `sequence`), `event` (its type) and `data` (the event as JSON, as in the history). An event `gap` states which events after yours have expired: `{"from": 3, "to": 41}`; all from 1 to the end, if yours is after the end because the history was restored from a backup. A comment follows after 15 seconds of silence.',
    ),
  produces: ['text/event-stream'],
  example: { query: { after: '0' } },
});

/**
 * Core NATS subject on which the organization service hints that the history of an organization has new events. A hint may be lost: the
 * history is the truth.
 */
export const EVENTS_APPENDED = 'hint.organization.events.appended.v1';
export const eventsAppendedSubject = (of: string) => `${EVENTS_APPENDED}.${of}`;
