import { request as requestHttp, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as requestHttps } from 'node:https';
import { AddressRefused, checkAddress, type Outbound } from '@classroom/platform';

export interface WebhookAnswer {
  /** Null if there was no answer. */
  statusCode: number | null;
  /** Why the attempt failed; null if the endpoint answered 2xx. */
  error: 'address-refused' | 'dns' | 'connection' | 'tls' | 'timeout' | 'redirect' | 'status' | null;
  /** Milliseconds for which the endpoint asks to receive nothing (Retry-After); null if it does not ask. */
  retryAfterMs: number | null;
  responseBody: string | null;
}

export interface WebhookRequest {
  outbound: Outbound;
  url: string;
  headers: Record<string, string>;
  body: string;
  /** Milliseconds until the answer's headers. */
  timeoutMs: number;
}

/** How much of an answer's body is read at most, and how much of that is stored. */
const READ_BYTES = 4096;
const STORED_CHARACTERS = 1024;
/** Milliseconds for which the body is read. The status alone decides the outcome, so a slow body must not delay others. */
const BODY_TIMEOUT_MS = 1_000;
const MAX_RETRY_AFTER_MS = 24 * 3_600_000;
const USER_AGENT = 'virtual-classroom-webhooks/1';

/** Sends one webhook. Never throws: the answer states what went wrong. Does not follow redirects. */
export async function postWebhook(webhook: WebhookRequest): Promise<WebhookAnswer> {
  try {
    const response = await open(webhook);
    const { statusCode = 0, headers } = response;
    const responseBody = await readBeginning(response);
    const isDelivered = statusCode >= 200 && statusCode < 300;
    const isRedirect = statusCode >= 300 && statusCode < 400;
    return {
      statusCode,
      error: isDelivered ? null : isRedirect ? 'redirect' : 'status',
      retryAfterMs: isDelivered ? null : parseRetryAfter(headers['retry-after'], Date.now()),
      responseBody,
    };
  } catch (error) {
    return { statusCode: null, error: reasonOf(error), retryAfterMs: null, responseBody: null };
  }
}

/**
 * Converts a Retry-After header (RFC 9110: seconds or a date) to milliseconds from `now`, at most a day. Null if it is missing,
 * invalid, zero or past.
 */
export function parseRetryAfter(value: string | undefined, now: number): number | null {
  if (value === undefined) return null;
  const ms = /^\d+$/.test(value.trim()) ? Number(value) * 1000 : Date.parse(value) - now;
  return ms > 0 ? Math.min(ms, MAX_RETRY_AFTER_MS) : null;
}

async function open({ outbound, url: text, headers, body, timeoutMs }: WebhookRequest): Promise<IncomingMessage> {
  const url = new URL(text);
  checkAddress(outbound, url);
  const options: RequestOptions = {
    method: 'POST',
    // Opens a new connection for each webhook: the address of a pooled connection was checked for another request.
    agent: false,
    lookup: outbound.lookup,
    headers: {
      ...headers,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'user-agent': USER_AGENT,
      'accept-encoding': 'identity',
    },
  };
  const request = url.protocol === 'https:' ? requestHttps(url, options) : requestHttp(url, options);
  const timer = setTimeout(() => request.destroy(new TimedOut()), timeoutMs);
  try {
    return await new Promise<IncomingMessage>((resolve, reject) => {
      request.once('response', resolve).on('error', reject).end(body);
    });
  } finally {
    clearTimeout(timer);
  }
}

class TimedOut extends Error {}

/** Reads the beginning of the body, as text that Postgres accepts: without NUL and lone surrogates. */
async function readBeginning(response: IncomingMessage): Promise<string> {
  const timer = setTimeout(() => response.destroy(), BODY_TIMEOUT_MS);
  const pieces: Buffer[] = [];
  let size = 0;
  try {
    for await (const piece of response as AsyncIterable<Buffer>) {
      pieces.push(piece);
      size += piece.length;
      if (size >= READ_BYTES) break;
    }
  } catch {
    // The connection broke: what has arrived is kept.
  } finally {
    clearTimeout(timer);
    response.destroy();
  }
  return Buffer.concat(pieces).toString('utf8').replaceAll('\u0000', '').slice(0, STORED_CHARACTERS).toWellFormed();
}

function reasonOf(error: unknown): WebhookAnswer['error'] {
  if (error instanceof AddressRefused) return 'address-refused';
  if (error instanceof TimedOut) return 'timeout';
  const { code = '' } = error as NodeJS.ErrnoException;
  if (/^(ENOTFOUND|EAI_)/.test(code)) return 'dns';
  if (/^(ERR_TLS|ERR_SSL|CERT|UNABLE_TO|SELF_SIGNED|DEPTH_ZERO|EPROTO)/.test(code)) return 'tls';
  return code === 'ETIMEDOUT' ? 'timeout' : 'connection';
}
