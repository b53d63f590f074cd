import { randomBytes } from 'node:crypto';
import { request as requestHttp, type RequestOptions } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { HistoryEvent } from '@virtual-classroom/sdk';
import { Webhook } from 'standardwebhooks';

const SECRET_BYTES = 32;
/** Milliseconds until the answer's headers, as for a webhook of the service. */
const TIMEOUT_MS = 15_000;
/** Milliseconds for the rest of the answer. */
const BODY_TIMEOUT_MS = 1_000;

/** A new signing secret in the form of those of endpoints. */
export const newSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;

export const isSecret = (text: string): boolean => /^whsec_[A-Za-z0-9+/]{32,}={0,2}$/.test(text);

/** The body and the headers of the webhook for an event: those that the service sends. @param secret `whsec_…` */
export function webhookOf(
  event: HistoryEvent,
  secret: string,
  at = new Date(),
): { body: string; headers: Record<string, string | number> } {
  const body = JSON.stringify(event);
  return {
    body,
    headers: {
      'webhook-id': event.id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign(event.id, at, body),
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'user-agent': 'virtual-classroom-webhooks/1',
      'accept-encoding': 'identity',
    },
  };
}

/** What became of a forwarded event. */
export interface Outcome {
  /** Null if there was no answer. */
  status: number | null;
  /** Why there was no answer; null if there was one. */
  error: string | null;
  durationMs: number;
}

/**
 * Posts the webhook for an event, as the service does: on a new connection, without following redirects.
 * @throws the signal's reason, if it fires
 */
export async function forward(
  event: HistoryEvent,
  { url, secret, signal }: { url: URL; secret: string; signal: AbortSignal },
): Promise<Outcome> {
  const started = performance.now();
  const { body, headers } = webhookOf(event, secret);
  const outcome = (status: number | null, error: string | null) => ({ status, error, durationMs: Math.round(performance.now() - started) });
  try {
    return outcome(await post(url, { method: 'POST', agent: false, headers, signal }, body), null);
  } catch (failure) {
    signal.throwIfAborted();
    const { code, message } = failure as NodeJS.ErrnoException;
    return outcome(null, message || code || 'no answer');
  }
}

/** @returns the status of the answer */
function post(url: URL, options: RequestOptions, body: string): Promise<number> {
  const request = url.protocol === 'https:' ? requestHttps(url, options) : requestHttp(url, options);
  const timer = setTimeout(() => request.destroy(new Error(`no answer within ${TIMEOUT_MS / 1000} s`)), TIMEOUT_MS);
  return new Promise<number>((resolve, reject) => {
    request.once('response', (response) => {
      // The body is of no interest, but a server must be able to end its answer.
      response.resume();
      const end = setTimeout(() => response.destroy(), BODY_TIMEOUT_MS);
      response.once('close', () => clearTimeout(end));
      resolve(response.statusCode ?? 0);
    });
    request.on('error', reject).end(body);
  }).finally(() => clearTimeout(timer));
}

export const isDelivered = ({ status }: Outcome): boolean => status !== null && status >= 200 && status < 300;
