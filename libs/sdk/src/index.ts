export { AdminClient } from './admin-client.js';
export { VirtualClassroom } from './client.js';
export { ConnectionError, hasCode, TimeoutError, VirtualClassroomError, type ErrorDetail } from './errors.js';
export {
  verifyWebhook,
  WebhookVerificationError,
  type EventType,
  type HistoryEvent,
  type PingEvent,
  type WebhookEvent,
  type WebhookHeaders,
} from './webhooks.js';
export type * from './entities.js';
export type { AnswerEvent } from './answers.js';
export type { GapEvent } from './events.js';
export type { Body, Data, OperationId, Query } from './operation.js';
export type { Pages } from './pages.js';
export type { ErrorCode, EventData } from './schema.js';
export type { AdminOptions, ClientOptions, ConnectionOptions, Credentials, RequestOptions } from './transport.js';
