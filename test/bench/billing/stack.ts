import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, type QueryResultRow } from 'pg';
import { startStack, pickPorts, type Stack } from '../../../tools/stack/index.ts';
import { nodeBinary } from '../../../tools/stack/toolchain.ts';
import type { Pids } from '../load/processes.ts';

/** Prevents frequent checkpoints and full write-ahead logging, which would slow down loading millions of rows. */
const POSTGRES = { settings: { max_wal_size: '8GB', checkpoint_timeout: '30min', wal_level: 'minimal', max_wal_senders: 0 } };
const TRACING = { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.1' };
const CONCURRENCY = 16;
const POLL_MS = 100;
const TIMEOUT_MS = 120_000;

/** A running stack with an administrator's connection to its Postgres. `stop` ends it and may be called at any time. */
export class BenchStack {
  readonly options: { signal: AbortSignal; profile?: string };
  stack!: Stack;
  gatewayPort!: number;
  admin!: Client;
  private readonly home = fs.mkdtempSync(path.join(os.tmpdir(), 'classroom-billing-bench-'));
  private readonly children: ChildProcess[] = [];

  constructor(options: { signal: AbortSignal; profile?: string }) {
    this.options = options;
  }

  async start() {
    const { signal, profile } = this.options;
    const profiled: Record<string, string> = profile ? { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${path.resolve(profile)}` } : {};
    const env = {
      all: TRACING,
      gateway: { RATE_LIMIT_PER_MINUTE: '10000000', ADMIN_REQUESTS_PER_MINUTE: '10000000', ...profiled },
      room: profiled,
      // Otherwise a roll-up would charge rooms in the background during a measurement.
      billing: { ROLLUP_SECONDS: '3600', ...profiled },
    };
    const { portBase, gatewayPort, release } = await pickPorts();
    try {
      this.stack = await startStack({ home: this.home, portBase, gatewayPort, external: false, signal, env, postgres: POSTGRES });
    } finally {
      release();
    }
    this.gatewayPort = gatewayPort;
    this.admin = await this.connect();
  }

  /** Opens another administrator's connection. */
  async connect() {
    const client = new Client({ connectionString: this.stack.urls.postgresAdmin });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  }

  async sql(text: string, values?: unknown[]): Promise<QueryResultRow[]> {
    return (await this.admin.query<QueryResultRow>(text, values)).rows;
  }

  /** Polls every 100 ms until `isDone` returns true. Resolves with the milliseconds since `started`. */
  async until(isDone: () => Promise<boolean>, started: number, what = 'the work') {
    for (;;) {
      this.options.signal.throwIfAborted();
      if (await isDone()) return performance.now() - started;
      if (performance.now() - started > TIMEOUT_MS)
        throw new Error(`${what} was not done after ${TIMEOUT_MS / 1000} s; see ${this.home}/logs`);
      await sleep(POLL_MS);
    }
  }

  async call(method: string, address: string, headers: Record<string, string>, body?: object) {
    const response = await fetch(`${this.stack.urls.gateway}${address}`, {
      method,
      headers: { ...headers, ...(body ? { 'content-type': 'application/json' } : {}) },
      body: body && JSON.stringify(body),
      signal: this.options.signal,
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${address} was answered ${response.status}: ${text}`);
    return JSON.parse(text) as unknown;
  }

  /**
   * Creates postpaid organizations. Each has its account in billing when this resolves.
   * @param values their values of VF-ORG-ID
   * @returns their ids in rows, in the same order
   */
  async makeOrganizations(values: readonly string[]): Promise<string[]> {
    const cycleStartDate = daysAgo(CYCLE_DAYS).toISOString();
    const billing = { type: 'POSTPAID', billingFrequency: 'MONTHLY', cycleStartDate, creditRate: 0.01, currency: 'USD' };
    const left = [...values];
    const idOf = new Map<string, string>();
    const headers = { 'X-Dispatch-Secret': this.stack.secrets.dispatchSecret };
    const one = async () => {
      for (let value = left.pop(); value; value = left.pop()) {
        const body = { organizationId: value, name: `School ${value}`, billing };
        const { data } = (await this.call('POST', '/v1/admin/organizations', headers, body)) as { data: { id: string } };
        idOf.set(value, data.id);
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, one));
    const ids = values.map((value) => idOf.get(value) as string);
    await this.until(
      async () => {
        const [{ count }] = await this.sql('SELECT count(*)::int AS count FROM billing.accounts WHERE organization_id = ANY($1)', [ids]);
        return count === ids.length;
      },
      performance.now(),
      'the accounts',
    );
    return ids;
  }

  /** @param value of the organization's VF-ORG-ID @returns sids by room id */
  async makeRooms(value: string, roomIds: string[]): Promise<Map<string, string>> {
    const participant = { uid: 'teacher-1', name: 'Ada Teacher', role: 'TEACHER' };
    const left = [...roomIds];
    const one = async () => {
      for (let roomId = left.pop(); roomId; roomId = left.pop()) {
        await this.call('POST', '/v1/room/create', { 'VF-ORG-ID': value }, { roomId, title: `Class ${roomId}`, participant });
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, one));
    const rows = await this.sql('SELECT room_id, sid FROM room.rooms WHERE room_id = ANY($1)', [roomIds]);
    return new Map(rows.map(({ room_id, sid }) => [room_id, sid]));
  }

  /** Starts a bare process, which ends together with this one. `ready` is its first message. */
  async spawn(file: string): Promise<{ process: ChildProcess; ready: unknown }> {
    const { secrets, urls } = this.stack;
    const env = {
      PATH: process.env.PATH,
      NATS_URL: urls.nats,
      DATABASE_URL: urls.postgresAdmin,
      LIVEKIT_API_KEY: secrets.livekitApiKey,
      LIVEKIT_API_SECRET: secrets.livekitApiSecret,
    };
    const child = fork(path.join(import.meta.dirname, file), { execPath: nodeBinary(), env });
    this.children.push(child);
    const ended = once(child, 'exit').then(([code]) => {
      throw new Error(`${file} ended with ${code}`);
    });
    ended.catch(() => undefined);
    const [ready] = await Promise.race([once(child, 'message'), ended]);
    return { process: child, ready: ready as unknown };
  }

  /** The processes that serve a request and what it causes. The load generator is not one of them. */
  pids(): Pids {
    const { apps, parts } = this.stack;
    const names = ['gateway', 'room', 'billing', 'organization'] as const;
    const own = Object.fromEntries(names.map((name) => [name, apps[name].pid ?? 0]));
    return { ...own, nats: parts.nats.pid ?? 0, redis: parts.redis.pid ?? 0, postgres: parts.postgres.pid ?? 0 };
  }

  async stop() {
    for (const child of this.children) if (child.connected) child.disconnect();
    await this.admin?.end().catch(() => undefined);
    await this.stack?.stop({ wipe: true });
    fs.rmSync(this.home, { recursive: true, force: true });
  }
}

export const CYCLE_DAYS = 10;
const DAY_MS = 86_400_000;
export const daysAgo = (days: number) => new Date(Math.floor(Date.now() / DAY_MS - days) * DAY_MS);
