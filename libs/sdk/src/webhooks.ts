import { Webhook } from 'standardwebhooks';
import type { EventData } from './schema.js';

export { WebhookVerificationError } from 'standardwebhooks';

export type EventType = keyof EventData;

/** An event of the organization's history. */
export type HistoryEvent = {
  [T in EventType]: {
    /** The same in every delivery of this event. Store it, to process the event once. */
    id: string;
    type: T;
    /** When it happened, in ISO 8601. */
    timestamp: string;
    /** Its position in the organization's history: 1, 2, 3 … without gaps. */
    sequence: number;
    data: EventData[T];
  };
}[EventType];

/** What `webhookEndpoints.test` sends. It is not part of the history. */
export interface PingEvent {
  id: string;
  type: 'ping';
  timestamp: string;
  sequence: null;
  data: { endpointId: string };
}

/** The body of a webhook; a newer service may send other types too. */
export type WebhookEvent = HistoryEvent | PingEvent;

/** The headers of a request: Node's, Express's, or the platform's own. */
export type WebhookHeaders = Headers | Record<string, string | readonly string[] | undefined>;

/**
 * Verifies a webhook and returns its event: the service must have signed it, not more than five minutes ago.
 * @param payload the body as received, before any parser
 * @param secret the endpoint's secret, `whsec_…`
 * @throws WebhookVerificationError if the signature, the time or the headers are invalid
 */
export function verifyWebhook(payload: string | Uint8Array, headers: WebhookHeaders, secret: string): WebhookEvent {
  const text = typeof payload === 'string' ? payload : new TextDecoder().decode(payload);
  return new Webhook(secret).verify(text, plainHeaders(headers)) as WebhookEvent;
}

function plainHeaders(headers: WebhookHeaders): Record<string, string> {
  const entries = headers instanceof Headers ? [...headers] : Object.entries(headers);
  return Object.fromEntries(entries.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])));
}
