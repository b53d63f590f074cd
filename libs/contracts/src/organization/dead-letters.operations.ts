import { z } from 'zod';
import { pagination } from '../kernel/fields.js';
import { pageOf, timestamp } from '../kernel/values.js';
import { DEAD_LETTER, NAMES } from '../kernel/reference.js';
import { defineOperation } from '../kernel/operation.js';
import { cursorQuery } from './organization.operations.js';

const deadLetterId = z.string().regex(/^dl_[0-9]{12}$/, 'must be an id of a dead letter such as dl_000000000017');

/** What identifies the message and its failure. Its content is personal data, and stays in the stream. */
export const deadLetter = z
  .object({
    deadLetterId: z.string().describe('Id of the dead letter: `dl_` and its number in the stream `DLQ`, with 12 digits.'),
    consumer: z.string().describe('The consumer that gave the message up, such as `billing-fold`.'),
    subject: z.string().describe('The subject on which the message was published, and is replayed. Empty if it is not known.'),
    originalSequence: z.number().int().nullable().describe('The number of the message in its own stream.'),
    type: z.string().nullable().describe('Type of the fact, name of LiveKit’s event, or audited operation.'),
    messageId: z.string().nullable().describe('Id of the fact, webhook or audited call.'),
    organizationId: z.string().nullable().describe('The organization that the message is about. LiveKit’s webhooks do not name it.'),
    roomId: z.string().nullable().describe('The room that the message is about.'),
    sid: z.string().nullable().describe('Our id of that room, which is its name in LiveKit.'),
    error: z.string().describe('Why the last attempt failed, at most 500 characters.'),
    attempts: z.number().int().nullable().describe('How often the consumer tried; null if the message does not say.'),
    traceId: z.string().nullable().describe('The trace in which the message was published.'),
    bytes: z.number().int().describe('Size of the message’s content, which is not shown.'),
    setAsideAt: timestamp.describe('When the consumer gave it up.'),
  })
  .register(NAMES, { id: 'DeadLetter', description: 'A message that a consumer gave up after its retries.' });
export type ShownDeadLetter = z.infer<typeof deadLetter>;

const shared = { tag: 'Dead letters', auth: 'dispatch', service: 'organization' } as const;
const params = z.object({ deadLetterId: deadLetterId.describe('Id of the dead letter, `dl_` and 12 digits.') });

export const listDeadLetters = defineOperation({
  ...shared,
  operationId: 'listDeadLetters',
  summary: 'List dead letters',
  description: 'Returns the messages that consumers gave up, newest first.',
  sdk: 'deadLetters.list',
  route: 'GET /v1/admin/dead-letters',
  rpc: 'dead-letter.list',
  query: cursorQuery,
  input: z.object({ cursor: z.string().optional(), limit: z.number().int().min(1).max(100) }),
  output: z.object({
    deadLetters: pageOf(deadLetter).max(100).describe('The dead letters, newest first.'),
    pagination: pagination.describe('Where the list continues.'),
  }),
  example: { query: { limit: '1' } },
});

export const getDeadLetter = defineOperation({
  ...shared,
  operationId: 'getDeadLetter',
  summary: 'Get dead letter',
  description: 'Returns a message that a consumer gave up.',
  sdk: 'deadLetters.get',
  route: 'GET /v1/admin/dead-letters/:deadLetterId',
  rpc: 'dead-letter.get',
  params,
  output: deadLetter,
  errors: ['DEAD_LETTER_NOT_FOUND'],
  example: { params: DEAD_LETTER },
});

export const replayDeadLetter = defineOperation({
  ...shared,
  operationId: 'replayDeadLetter',
  summary: 'Replay dead letter',
  description:
    'Publishes the message again on its subject, and deletes the dead letter. Consumers that have applied it recognize its id and do nothing. If it fails again, it becomes another dead letter.',
  sdk: 'deadLetters.replay',
  route: 'POST /v1/admin/dead-letters/:deadLetterId/replay',
  rpc: 'dead-letter.replay',
  params,
  output: deadLetter,
  message: 'Dead letter replayed',
  errors: ['DEAD_LETTER_NOT_FOUND'],
  example: { params: DEAD_LETTER },
});

export const discardDeadLetter = defineOperation({
  ...shared,
  operationId: 'discardDeadLetter',
  summary: 'Discard dead letter',
  description: 'Deletes the message. This cannot be undone.',
  sdk: 'deadLetters.discard',
  route: 'DELETE /v1/admin/dead-letters/:deadLetterId',
  rpc: 'dead-letter.discard',
  params,
  output: deadLetter,
  message: 'Dead letter discarded',
  errors: ['DEAD_LETTER_NOT_FOUND'],
  example: { params: DEAD_LETTER },
});
