import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { PUBLIC_EVENTS, type SandboxEvent } from '@classroom/contracts';
import type { Gateway } from './gateway.js';
import type { Processes } from './processes.js';
import type { Robots } from './robots.js';
import type { Rows } from './rows.js';

/** How long the services may take to catch up with one step of the clock, in milliseconds. */
const CATCH_UP_MS = 60_000;
const POLL_MS = 40;
/** After so many looks at work that is due, the loops run again. */
const LOOKS_PER_RUN = 10;

export interface Progress {
  now: string;
  /** What the services have not done yet, such as `3 webhook deliveries`. */
  waiting: string[];
}

/** A request that the caller can correct. */
class SandboxError extends Error {}

/** The one clock of a sandbox. The file is its truth: a process that starts reads it. */
export class MovableClock {
  constructor(
    private readonly file: string,
    private readonly processes: Processes,
    private readonly robots: Robots,
    private readonly rows: Rows,
  ) {}

  get now(): Date {
    return new Date((JSON.parse(readFileSync(this.file, 'utf8')) as { now: string }).now);
  }

  /** Moves the clock to `to` at once. Deadlines on the way pass when the clock is advanced next. @throws SandboxError if it is not later */
  async move(to: Date): Promise<void> {
    await this.set(this.later(to), false);
  }

  /**
   * Moves the clock through every deadline on the way, and waits at each until the services have done what was due.
   * @returns a report for each look at them
   * @throws SandboxError if `to` is not later; Error that names what is still waiting after a minute
   */
  async *advance(to: Date): AsyncGenerator<Progress> {
    const target = this.later(to);
    yield* this.catchUp(this.now);
    while (this.now < target) yield* this.catchUp((await this.rows.nextDeadline(this.now, target)) ?? target);
  }

  private later(to: Date): Date {
    if (Number.isNaN(to.getTime())) throw new SandboxError('`to` must be a time, ISO 8601');
    if (to < this.now) throw new SandboxError(`The clock moves only forward: it is ${this.now.toISOString()}`);
    return to;
  }

  private async *catchUp(at: Date): AsyncGenerator<Progress> {
    const now = at.toISOString();
    const endsAt = Date.now() + CATCH_UP_MS;
    let quiet = 0;
    await this.set(at, true);
    for (let looks = 1; ; looks += 1) {
      // A fact leaves the outbox before its consumer has it: one look between the two sees neither.
      const waiting = [...(await this.rows.waiting(at)), ...(await this.processes.unhandled())];
      quiet = waiting.length === 0 ? quiet + 1 : 0;
      yield { now, waiting };
      if (quiet === 2) return;
      if (Date.now() > endsAt) throw new Error(`At ${now} there is still, after ${CATCH_UP_MS / 1000} s: ${waiting.join(', ')}`);
      if (looks % LOOKS_PER_RUN === 0) await this.set(at, true);
      else if (waiting.length > 0) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }

  private async set(at: Date, runsLoops: boolean): Promise<void> {
    const now = at.toISOString();
    writeFileSync(`${this.file}.new`, JSON.stringify({ now }));
    renameSync(`${this.file}.new`, this.file);
    await this.robots.moveTo(now);
    await this.processes.move({ now, runsLoops });
  }
}

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
