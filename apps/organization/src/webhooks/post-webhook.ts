import { request as requestHttp, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as requestHttps } from 'node:https';
import { createHmac, randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { AddressRefused, checkAddress, CONFIG, InBackground, Resealing, SecretCipher, type Outbound } from '@classroom/platform';
import type { OrganizationConfig } from '../config.js';
import { OrganizationsRepository } from '../organizations/organizations.repository.js';
import { EndpointsRepository, type SealedSecrets } from './endpoints.repository.js';

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

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;
const PURPOSE = 'classroom/organization/webhook-secrets/v1';

/** The secrets that sign webhooks. Each is known to its endpoint, and stored only in encrypted form. */
@Injectable()
export class SigningSecrets {
  private readonly cipher: SecretCipher;

  constructor(@Inject(CONFIG) config: OrganizationConfig) {
    this.cipher = new SecretCipher(PURPOSE, config.WEBHOOK_KEY_SECRET);
  }

  /** A new secret (`whsec_` and 32 random bytes in base64), and its encrypted form, which is stored. */
  create(endpointId: string): { secret: string; sealed: string } {
    const secret = `${PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`;
    return { secret, sealed: this.cipher.seal(endpointId, secret) };
  }

  open(endpointId: string, sealed: string): string {
    return this.cipher.open(endpointId, sealed);
  }

  /** Encrypts a stored secret with the first value of WEBHOOK_KEY_SECRET; undefined if it is already encrypted with that. */
  reseal(endpointId: string, sealed: string): string | undefined {
    return this.cipher.reseal(endpointId, sealed);
  }
}

/** The headers of Standard Webhooks 1.0. @param secrets each adds a signature: during a rotation the receiver may know either secret */
export function signatureHeaders(
  secrets: readonly string[],
  { id, at, body }: { id: string; at: Date; body: string },
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}

/** Seals the secrets of webhook endpoints and join hooks again while WEBHOOK_KEY_SECRET is rotated. */
@Injectable()
export class ResealSecrets {
  @InBackground() readonly ofEndpoints: Resealing<SealedSecrets>;
  @InBackground() readonly ofJoinHooks: Resealing<{ organizationId: string; secret: string }>;

  constructor(
    @Inject(CONFIG) config: OrganizationConfig,
    private readonly endpoints: EndpointsRepository,
    private readonly organizations: OrganizationsRepository,
    private readonly secrets: SigningSecrets,
  ) {
    this.ofEndpoints = new Resealing('webhook-secrets', config.WEBHOOK_KEY_SECRET, {
      page: (last, limit) => this.endpoints.listSecretsAfter(last?.endpointId ?? '', limit),
      reseal: (row) => this.resealEndpoint(row),
    });
    this.ofJoinHooks = new Resealing('join-hook-secrets', config.WEBHOOK_KEY_SECRET, {
      page: (last, limit) => this.organizations.joinHookSecrets(last?.organizationId ?? '', limit),
      reseal: ({ organizationId, secret }) => this.resealJoinHook(organizationId, secret),
    });
  }

  private async resealEndpoint(before: SealedSecrets): Promise<number> {
    const { endpointId, secret, previousSecret } = before;
    const own = this.secrets.reseal(endpointId, secret);
    const previous = previousSecret === null ? undefined : this.secrets.reseal(endpointId, previousSecret);
    const sealed = [own, previous].filter((it) => it !== undefined).length;
    // Writes nothing if the endpoint's secret was rotated since it was read: the rotation has already sealed with the first value.
    if (sealed > 0) await this.endpoints.reseal(before, own ?? null, previous ?? null);
    return sealed;
  }

  private async resealJoinHook(organizationId: string, secret: string): Promise<number> {
    const again = this.secrets.reseal(organizationId, secret);
    if (again === undefined) return 0;
    await this.organizations.resealJoinHook(organizationId, secret, again);
    return 1;
  }
}
