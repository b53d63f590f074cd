import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { StackError } from './context.ts';
import type { Stack } from './stack.ts';

interface Request {
  method?: string;
  headers?: Record<string, string>;
  body?: unknown;
}

async function call(url: string, { method = 'GET', headers = {}, body }: Request = {}) {
  const response = await fetch(url, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    body: body === undefined ? undefined : JSON.stringify(body),
    signal: AbortSignal.timeout(20_000),
  });
  const text = await response.text();
  let json: Answer | undefined;
  try {
    json = JSON.parse(text) as Answer;
  } catch {
    /* not JSON: the status is enough */
  }
  return { status: response.status, json, text };
}

/** The fields of answers that are read here. */
interface Answer {
  success?: boolean;
  status?: string;
  data?: { status?: string; iframeUrl?: string; token?: string };
}

export async function waitUntilHealthy(stack: Stack, timeoutMs = 60_000): Promise<void> {
  const url = `${stack.urls.gateway}/v1/health/status`;
  const until = Date.now() + timeoutMs;
  for (let attempt = 1; ; attempt += 1) {
    stack.refuseWhenInterrupted();
    const answer = await call(url).catch(() => undefined);
    const status = answer?.json?.data?.status ?? answer?.json?.status;
    // Without a recorder, a sandbox is degraded.
    if (answer?.status === 200 && (status === 'healthy' || (stack.options.sandbox && status === 'degraded'))) return;
    if (Date.now() > until) {
      throw new StackError(
        `The gateway did not become healthy in ${timeoutMs / 1000} s (${answer ? `${answer.status} ${answer.text.slice(0, 200)}` : 'no answer'}); see ${stack.home}/logs.`,
      );
    }
    // The gateway limits this endpoint to about one request a second per address.
    await sleep(attempt < 10 ? 200 : 1500);
  }
}

/**
 * Creates the demo organization with the credential in secrets.json, unless it exists.
 * @param stack a running stack with a gateway
 */
export async function provision(stack: Stack): Promise<string> {
  const admin = `${stack.urls.gateway}/v1/admin/organizations`;
  const headers = { 'X-Dispatch-Secret': stack.secrets.dispatchSecret };
  const { credential } = stack.secrets;
  const there = await call(`${admin}/${credential}`, { headers });
  if (there.status === 200) return credential;
  const made = await call(admin, {
    method: 'POST',
    headers,
    body: {
      organizationId: credential,
      name: 'Demo School',
      billing: { type: 'PREPAID', credits: 1000, creditRate: 0.01, currency: 'USD' },
      verifiedDomains: ['localhost:3000', '127.0.0.1:3000'],
    },
  });
  if (!made.json?.success) throw new StackError(`The demo organization could not be made: ${made.status} ${made.text.slice(0, 300)}.`);
  return credential;
}

/** The request body for POST /v1/room/create. */
export const roomBody = (roomId: string) => ({
  roomId,
  title: 'Demo class',
  participant: { uid: 'teacher-1', name: 'Ada Teacher', role: 'TEACHER' },
});

/** @returns the link to join the room */
export async function createDemoRoom(stack: Stack, credential: string): Promise<string> {
  const roomId = `demo-${randomBytes(4).toString('hex')}`;
  const made = await call(`${stack.urls.gateway}/v1/room/create`, {
    method: 'POST',
    headers: { 'VF-ORG-ID': credential },
    body: roomBody(roomId),
  });
  const url = made.json?.data?.iframeUrl;
  if (!url) throw new StackError(`The demo room could not be made: ${made.status} ${made.text.slice(0, 300)}.`);
  return url;
}

/** Lifetime of the token in the console's link, in seconds: a day at school. */
const CONSOLE_LINK_S = 8 * 3_600;

/** @returns the link to the organization's console, for an owner */
export async function createConsoleLink(stack: Stack, credential: string): Promise<string> {
  const { gateway } = stack.urls;
  const made = await call(`${gateway}/v1/admin/organizations/${credential}/dashboard-tokens`, {
    method: 'POST',
    headers: { 'X-Dispatch-Secret': stack.secrets.dispatchSecret },
    body: { subject: 'demo', role: 'OWNER', ttlSeconds: CONSOLE_LINK_S },
  });
  const token = made.json?.data?.token;
  if (!token) throw new StackError(`The console's link could not be made: ${made.status} ${made.text.slice(0, 300)}.`);
  return `${gateway}/console#token=${token}`;
}

/** Stores what the page at / shows. The links contain credentials, so that the file is readable only by its owner. */
export function writeLinks(stack: Stack, links: readonly { name: string; url: string }[]): void {
  fs.writeFileSync(path.join(stack.home, 'links.json'), JSON.stringify(links), { mode: 0o600 });
}
