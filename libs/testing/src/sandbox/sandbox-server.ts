import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { PUBLIC_EVENTS, type SandboxEvent } from '@classroom/contracts';
import type { Gateway } from './gateway.js';
import type { Processes } from './processes.js';
import type { Robots } from './robots.js';
import { type MovableClock, SandboxError } from './sandbox-clock.js';

interface Parts {
  gateway: Gateway;
  clock: MovableClock;
  robots: Robots;
  processes: Processes;
}

type Route = (body: never, parts: Parts) => unknown;

const ROUTES: Record<string, Route> = {
  'GET /clock': (_, { clock }) => ({ now: clock.now.toISOString() }),
  'POST /clock/move': async ({ to }: { to: string }, { clock }) => {
    await clock.move(new Date(to));
    return { now: clock.now.toISOString() };
  },
  'POST /robots/join': ({ tokens }: { tokens: string[] }, { robots }) => robots.join(tokens),
  'POST /robots/leave': async ({ connections }: { connections: string[] }, { robots }) => {
    await robots.leave(connections);
    return {};
  },
  'POST /robots/speak': async ({ connections }: { connections: string[] }, { robots }) => {
    for (const connection of connections) await robots.speak(connection);
    return {};
  },
  'POST /organizations': (body: { name: string; cycleStartDate: string }, { gateway }) => gateway.newOrganization(body),
  'GET /events': () => Object.entries(PUBLIC_EVENTS).map(([type, { description = '' }]) => ({ type, description })),
  'POST /events': async (event: SandboxEvent, { processes }) => {
    if (!Object.hasOwn(PUBLIC_EVENTS, event.type)) throw new SandboxError(`There is no event ${event.type}`);
    await processes.send(event);
    return {};
  },
};

/** Listens on loopback, without authentication: a sandbox serves one machine. A web page can't call it, as it would first have to ask. */
export function createSandboxServer(parts: Parts): Server {
  return createServer((request, response) => {
    handle(request, response, parts).catch((error: unknown) => {
      const status = error instanceof SandboxError ? 400 : 500;
      const body = JSON.stringify({ error: error instanceof Error ? error.message : String(error) });
      if (response.headersSent) response.end(`${body}\n`);
      else response.writeHead(status, { 'content-type': 'application/json' }).end(body);
    });
  });
}

async function handle(request: IncomingMessage, response: ServerResponse, parts: Parts): Promise<void> {
  const name = `${request.method} ${request.url}`;
  const body = await text(request);
  if (request.method === 'POST' && request.headers['content-type'] !== 'application/json')
    throw new SandboxError('The body must be application/json');
  const input = parse(body);
  if (name === 'POST /clock/advance') return advance(input as { to: string }, response, parts);
  const route = ROUTES[name];
  if (!route) throw new SandboxError(`There is no ${name}`);
  const answer = await route(input as never, parts);
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body || '{}');
  } catch {
    throw new SandboxError('The body must be JSON');
  }
}

/** A line of JSON for each look at the services; the last is `{"now", "done": true}` or `{"error"}`. */
async function advance({ to }: { to: string }, response: ServerResponse, { clock }: Parts): Promise<void> {
  for await (const progress of clock.advance(new Date(to))) {
    if (!response.headersSent) response.writeHead(200, { 'content-type': 'application/x-ndjson' });
    response.write(`${JSON.stringify(progress)}\n`);
  }
  response.end(`${JSON.stringify({ now: clock.now.toISOString(), done: true })}\n`);
}
