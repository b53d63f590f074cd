import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { jetstreamManager } from '@nats-io/jetstream';
import { CONSUMERS } from '@classroom/contracts';
import { cpuOf, memoryOf } from '../load/processes.ts';
import { APPS, type ScaleStack } from './stack.ts';

const POLL_MS = 250;

/** The state of the system at one moment. */
export interface Sample {
  /** Milliseconds of `performance.now()`. */
  at: number;
  /** Stored webhooks and facts that a consumer has not acknowledged, and facts that JetStream does not have yet. */
  backlog: number;
  /** Age of the oldest last verification of a live room, in seconds. */
  verifiedAge: number;
  /** Rows of the tables that grow with facts, by name. */
  rows: Record<string, number>;
  /** Updates of the tables that are updated most, and those among them that wrote no index, by name. */
  updates: Record<string, { all: number; hot: number }>;
  /** Size of all tables and indexes, and of all streams, in bytes. */
  tableBytes: number;
  streamBytes: number;
  /** Microseconds of CPU since the start, and resident bytes, by process. */
  cpu: Record<string, number>;
  memory: Record<string, number>;
}

const CONSUMED = Object.values(CONSUMERS).filter(({ durable }) => APPS.some((app) => durable.startsWith(`${app}-`)));
const UPDATED = ['rooms', 'room_meters'];
const GROWING = ['room.outbox', 'room.inbox', 'billing.inbox', 'billing.outbox', 'organization.inbox'];

/** Reads the state of a stack. */
export class Sampler {
  private readonly stack: ScaleStack;
  private connection: NatsConnection | undefined;

  constructor(stack: ScaleStack) {
    this.stack = stack;
  }

  async sample(): Promise<Sample> {
    const { stack } = this.stack;
    const manager = await this.manager();
    const pids = this.stack.pids();
    const [{ age, bytes } = { age: 0, bytes: 0 }] = await stack.rows<{ age: number; bytes: number }>(
      `SELECT (SELECT coalesce(extract(epoch FROM max(now() - coalesce(verified_at, started_at))), 0)::float8 FROM room.rooms WHERE state = 'live') AS age,
              (SELECT sum(pg_total_relation_size(oid))::float8 FROM pg_class WHERE relkind = 'r' AND relnamespace::regnamespace::text = ANY($1)) AS bytes`,
      [APPS],
    );
    const rows: Record<string, number> = {};
    for (const table of GROWING) {
      const [{ count } = { count: 0 }] = await stack.rows<{ count: number }>(`SELECT count(*)::int AS count FROM ${table}`);
      rows[table] = count;
    }
    const updates = await stack.rows<{ name: string; all: number; hot: number }>(
      `SELECT relname AS name, n_tup_upd::int AS "all", n_tup_hot_upd::int AS hot FROM pg_stat_user_tables
        WHERE relname = ANY($1) AND schemaname IN ('room', 'billing')`,
      [UPDATED],
    );
    let streamBytes = 0;
    for await (const { state } of manager.streams.list()) streamBytes += state.bytes;
    return {
      at: performance.now(),
      backlog: await this.backlog(),
      verifiedAge: age,
      rows,
      updates: Object.fromEntries(updates.map(({ name, all, hot }) => [name, { all, hot }])),
      tableBytes: bytes,
      streamBytes,
      cpu: cpuOf(pids),
      memory: memoryOf(pids),
    };
  }

  private async backlog(): Promise<number> {
    const manager = await this.manager();
    const waiting = await Promise.all(
      CONSUMED.map(async ({ stream, durable }) => {
        const { num_pending, num_ack_pending } = await manager.consumers.info(stream, durable);
        return num_pending + num_ack_pending;
      }),
    );
    const outboxes = await Promise.all(
      ['room', 'billing', 'organization'].map(async (schema) => {
        const [{ count } = { count: 0 }] = await this.stack.stack.rows<{ count: number }>(
          `SELECT count(*)::int AS count FROM ${schema}.outbox WHERE published_at IS NULL`,
        );
        return count;
      }),
    );
    return [...waiting, ...outboxes].reduce((sum, count) => sum + count, 0);
  }

  /** Resolves when billing has a session for each of `people` connections. @returns milliseconds until then */
  async billed(people: number, timeoutMs: number): Promise<number> {
    const began = performance.now();
    for (;;) {
      const [{ count } = { count: 0 }] = await this.stack.stack.rows<{ count: number }>(
        'SELECT count(*)::int AS count FROM billing.sessions_by_month',
      );
      if (count >= people) return performance.now() - began;
      if (performance.now() - began > timeoutMs)
        throw new Error(`billing knows ${count} of ${people} connections after ${timeoutMs / 1000} s`);
      await sleep(POLL_MS);
    }
  }

  async close(): Promise<void> {
    await this.connection?.close();
  }

  private async manager() {
    this.connection ??= await connect(this.stack.stack.nats);
    return jetstreamManager(this.connection);
  }
}
