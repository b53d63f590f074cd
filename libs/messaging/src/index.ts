import { join } from 'node:path';

/** The SQL of outbox and inbox, applied in every schema whose service publishes or consumes facts. */
export const MESSAGING_MIGRATIONS = join(__dirname, '..', 'migrations');

export * from './boot-service.js';
export * from './connection.js';
export * from './dead-letters/dead-letters.js';
export * from './jetstream/consumer.js';
export * from './consumers/consumes.js';
export * from './jetstream/stream-publisher.js';
export * from './jobs/jobs.js';
export * from './messaging.module.js';
export { acceptNew, acceptOnce } from './outbox/inbox.repository.js';
export * from './outbox/outbox.js';
export type { OutboxRow } from './outbox/outbox.repository.js';
export * from './outbox/prune.js';
export * from './outbox/relay.js';
export * from './redis.js';
export * from './rpc/client.js';
export * from './rpc/fit-message.js';
export { Handles } from './rpc/handles.js';
export { NoAnswerError, NoRespondersError } from './rpc/inbox.js';
export * from './rpc/server.js';
export * from './credit-status/credit-status.projection.js';
export * from './credit-status/credit-status.module.js';
export { notRefused } from './credit-status/credit-status.repository.js';
export * from './streams/apply-streams.js';
export * from './text-stream/reader.js';
export * from './text-stream/text-streams.js';
export * from './text-stream/writer.js';
export * from './tokens.js';
