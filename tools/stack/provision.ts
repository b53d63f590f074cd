import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { StackError } from './context.ts';
import type { Stack } from './stack.ts';

/** The fields of answers that are read here. */
interface Answer {
  success?: boolean;
  status?: string;
  data?: { status?: string; iframeUrl?: string; token?: string };
}

/** @param body makes it a POST @returns the answer; without `json` if it is no JSON */
async function call(url: string, headers: Record<string, string> = {}, body?: object) {
  const response = await fetch(url, {
    ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
    headers: { ...headers, ...(body ? { 'content-type': 'application/json' } : {}) },
    signal: AbortSignal.timeout(20_000),
  });
  const text = await response.text();
  const json = /json/.test(response.headers.get('content-type') ?? '') ? (JSON.parse(text) as Answer) : undefined;
  return { status: response.status, json, text };
}

/** Creates something by a POST. @param what as in a message @throws {StackError} if the answer is no success */
async function create(what: string, url: string, headers: Record<string, string>, body: object): Promise<Answer['data']> {
  const { status, json, text } = await call(url, headers, body);
  if (!json?.success) throw new StackError(`The ${what} could not be made: ${status} ${text.slice(0, 300)}.`);
  return json.data;
}

const asOperator = ({ secrets }: Stack) => ({ 'X-Dispatch-Secret': secrets.dispatchSecret });
const organizationsOf = ({ urls }: Stack) => `${urls.gateway}/v1/admin/organizations`;

export async function waitUntilHealthy(stack: Stack, timeoutMs = 60_000): Promise<void> {
  const until = Date.now() + timeoutMs;
  for (let attempt = 1; ; attempt += 1) {
    stack.refuseWhenInterrupted();
    const answer = await call(`${stack.urls.gateway}/v1/health/status`).catch(() => undefined);
    const status = answer?.json?.data?.status ?? answer?.json?.status;
    // Without a recorder, a sandbox is degraded.
    if (answer?.status === 200 && (status === 'healthy' || (stack.options.sandbox && status === 'degraded'))) return;
    if (Date.now() > until) {
      const last = answer ? `${answer.status} ${answer.text.slice(0, 200)}` : 'no answer';
      throw new StackError(`The gateway did not become healthy in ${timeoutMs / 1000} s (${last}); see ${stack.home}/logs.`);
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
  const { credential } = stack.secrets;
  const there = await call(`${organizationsOf(stack)}/${credential}`, asOperator(stack));
  if (there.status === 200) return credential;
  await create('demo organization', organizationsOf(stack), asOperator(stack), {
    organizationId: credential,
    name: 'Demo School',
    billing: { type: 'PREPAID', credits: 1000, creditRate: 0.01, currency: 'USD' },
    verifiedDomains: ['localhost:3000', '127.0.0.1:3000'],
  });
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
  const body = roomBody(`demo-${randomBytes(4).toString('hex')}`);
  const made = await create('demo room', `${stack.urls.gateway}/v1/room/create`, { 'VF-ORG-ID': credential }, body);
  return made?.iframeUrl ?? '';
}

/** Lifetime of the token in the console's link, in seconds: a day at school. */
const CONSOLE_LINK_S = 8 * 3_600;

/** @returns the link to the organization's console, for an owner */
export async function createConsoleLink(stack: Stack, credential: string): Promise<string> {
  const body = { subject: 'demo', role: 'OWNER', ttlSeconds: CONSOLE_LINK_S };
  const made = await create("console's link", `${organizationsOf(stack)}/${credential}/dashboard-tokens`, asOperator(stack), body);
  return `${stack.urls.gateway}/console#token=${made?.token}`;
}

/** Stores what the page at / shows. The links contain credentials, so that the file is readable only by its owner. */
export function writeLinks(stack: Stack, links: readonly { name: string; url: string }[]): void {
  fs.writeFileSync(path.join(stack.home, 'links.json'), JSON.stringify(links), { mode: 0o600 });
}
