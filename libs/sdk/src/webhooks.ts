import { Webhook } from 'standardwebhooks';
import type { EventData } from './schema.js';

export { WebhookVerificationError } from 'standardwebhooks';

export type EventType = keyof EventData;

/** A fact of the organization's history. */
export type HistoryEvent = {
  [T in EventType]: {
    /** The same however often it is sent: keep it, to act once. */
    id: string;
    type: T;
    /** When it became true. */
    timestamp: string;
    /** Its place in the organization's history: 1, 2, 3 … without a gap. */
    sequence: number;
    data: EventData[T];
  };
}[EventType];

/** What `webhookEndpoints.test` sends: of no history. */
export interface PingEvent {
  id: string;
  type: 'ping';
  timestamp: string;
  sequence: null;
  data: { endpointId: string };
}

/** What a webhook's body holds; a newer service may send other types too. */
export type WebhookEvent = HistoryEvent | PingEvent;

/** Of a request: Node's, Express's, or the platform's own. */
export type WebhookHeaders = Headers | Record<string, string | readonly string[] | undefined>;

/**
 * The event of a webhook that is from the service, and not older than five minutes.
 * @param payload the body as it came, before any parser
 * @param secret the endpoint's, `whsec_…`
 * @throws WebhookVerificationError where signature, time or headers are not right
 */
export function verifyWebhook(payload: string | Uint8Array, headers: WebhookHeaders, secret: string): WebhookEvent {
  const text = typeof payload === 'string' ? payload : new TextDecoder().decode(payload);
  return new Webhook(secret).verify(text, plain(headers)) as WebhookEvent;
}

function plain(headers: WebhookHeaders): Record<string, string> {
  const entries = headers instanceof Headers ? [...headers] : Object.entries(headers);
  return Object.fromEntries(entries.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])));
}
