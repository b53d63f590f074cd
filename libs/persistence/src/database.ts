import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { inSpan, isTraced, peerOf, SpanKind } from '@classroom/platform';
import type { Pool, PoolClient, QueryResultRow } from 'pg';
import type { DataSource, EntityManager } from 'typeorm';
import { isRetryable, translateDatabaseError } from './errors.js';

const RETRIES = 3;

/** One transaction: state, outbox and inbox go through it, so that they become true together. */
export class Transaction {
  private readonly committed = new Map<string, () => void>();

  constructor(readonly manager: EntityManager) {}

  async query<R extends QueryResultRow>(sql: string, parameters: unknown[] = []): Promise<R[]> {
    const client = (await this.manager.queryRunner?.connect()) as PoolClient;
    return (await traced(this.manager.dataSource, sql, () => client.query<R>({ name: nameOf(sql), text: sql, values: parameters }))).rows;
  }

  /** Runs once after the commit, however often `key` was given. Not run where the process dies: a hint, no guarantee. */
  afterCommit(key: string, run: () => void): void {
    this.committed.set(key, run);
  }

  notifyCommitted(): void {
    for (const run of this.committed.values()) run();
  }
}

/** instrumentation-pg takes 30 µs a query, sampled or not. */
function traced<T>({ options }: DataSource, sql: string, work: () => Promise<T>): Promise<T> {
  if (!isTraced()) return work();
  const { url = '' } = options as { url?: string };
  const attributes = { 'db.system.name': 'postgresql', 'db.query.text': sql, ...peerOf(url) };
  return inSpan(`pg.query:${/\w+/.exec(sql)?.[0] ?? ''}`, { kind: SpanKind.CLIENT, attributes }, work);
}

const names = new Map<string, string>();

/** What runs in transactions is a fixed set of texts: each is parsed and planned once a connection, not once an event. */
function nameOf(sql: string): string {
  let name = names.get(sql);
  if (!name) names.set(sql, (name = createHash('sha256').update(sql).digest('base64url').slice(0, 22)));
  return name;
}

@Injectable()
export class Database {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** A single statement on its own, prepared once a connection under `name`: the way for whatever is hot. */
  async prepared<R extends QueryResultRow>(name: string, sql: string, parameters: unknown[]): Promise<R[]> {
    try {
      const { rows } = await traced(this.dataSource, sql, () => this.pool.query<R>({ name, text: sql, values: parameters }));
      return rows;
    } catch (error) {
      throw translateDatabaseError(error);
    }
  }

  async query<R extends QueryResultRow>(sql: string, parameters: unknown[] = []): Promise<R[]> {
    try {
      return (await traced(this.dataSource, sql, () => this.pool.query<R>(sql, parameters))).rows;
    } catch (error) {
      throw translateDatabaseError(error);
    }
  }

  /** Entities without a transaction: for plain reads. */
  async entities<T>(read: (manager: EntityManager) => Promise<T>): Promise<T> {
    try {
      return await read(this.dataSource.manager);
    } catch (error) {
      throw translateDatabaseError(error);
    }
  }

  /** Read committed. Deadlocks and serialization failures are tried again, so `work` must have no effect but its rows. */
  async transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      let tx: Transaction | undefined;
      try {
        const result = await this.dataSource.transaction((manager) => work((tx = new Transaction(manager))));
        tx?.notifyCommitted();
        return result;
      } catch (error) {
        if (attempt < RETRIES && isRetryable(error)) continue;
        throw translateDatabaseError(error);
      }
    }
  }

  /** Connections at most. */
  get poolSize(): number {
    return this.pool.options.max;
  }

  private get pool(): Pool {
    return (this.dataSource.driver as unknown as { master: Pool }).master;
  }
}
