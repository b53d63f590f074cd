import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { inSpan, isTraced, SpanKind } from '@classroom/platform';
import type { Pool, QueryResultRow } from 'pg';
import type { DataSource, EntityManager } from 'typeorm';
import { isRetryable, translateDatabaseError } from './errors.js';

const RETRIES = 3;

/** One transaction: state, outbox and inbox go through it, so that they become true together. */
export class Transaction {
  private readonly committed = new Map<string, () => void>();

  constructor(readonly manager: EntityManager) {}

  async query<R extends QueryResultRow>(sql: string, parameters: unknown[] = []): Promise<R[]> {
    const result: unknown = await traced(sql, () => this.manager.query(sql, parameters));
    return rowsOf<R>(result);
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
function traced<T>(sql: string, work: () => Promise<T>): Promise<T> {
  if (!isTraced()) return work();
  const attributes = { 'db.system.name': 'postgresql', 'db.query.text': sql };
  return inSpan(`pg.query:${/\w+/.exec(sql)?.[0] ?? ''}`, { kind: SpanKind.CLIENT, attributes }, work);
}

/** UPDATE and DELETE … RETURNING come from TypeORM as [rows, count]. */
function rowsOf<R>(result: unknown): R[] {
  if (!Array.isArray(result)) return [];
  if (result.length === 2 && Array.isArray(result[0]) && typeof result[1] === 'number') return result[0] as R[];
  return result as R[];
}

@Injectable()
export class Database {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** A single statement on its own, prepared once a connection under `name`: the way for whatever is hot. */
  async prepared<R extends QueryResultRow>(name: string, sql: string, parameters: unknown[]): Promise<R[]> {
    try {
      const { rows } = await traced(sql, () => this.pool.query<R>({ name, text: sql, values: parameters }));
      return rows;
    } catch (error) {
      throw translateDatabaseError(error);
    }
  }

  async query<R extends QueryResultRow>(sql: string, parameters: unknown[] = []): Promise<R[]> {
    try {
      return (await traced(sql, () => this.pool.query<R>(sql, parameters))).rows;
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

  private get pool(): Pool {
    return (this.dataSource.driver as unknown as { master: Pool }).master;
  }
}
