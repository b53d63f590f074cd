import { AsyncLocalStorage } from 'node:async_hooks';
import type { Pool, PoolClient } from 'pg';
import type { DataSource, EntityManager } from 'typeorm';
import { Driver, inStatementSpan } from './driver.js';
import { isRetryable, translateDatabaseError } from './errors.js';
import { scoped } from './organization-query.js';
import { queryOf, type ParametersOf, type Statement, type StatementTypes } from './statements.js';

const RETRIES = 3;

/** What runs typed statements: the database, or one transaction. */
abstract class StatementRunner {
  /** @returns the rows of a typed statement: with named parameters, one object has the values of all */
  abstract run<Types extends StatementTypes>(statement: Statement<Types>, ...parameters: ParametersOf<Types>): Promise<Types['row'][]>;

  /** @returns its first row */
  async first<Types extends StatementTypes>(
    statement: Statement<Types>,
    ...parameters: ParametersOf<Types>
  ): Promise<Types['row'] | undefined> {
    return (await this.run(statement, ...parameters))[0];
  }
}

/** One transaction. State, outbox and inbox are written through it, so that they commit together. */
export class Transaction extends StatementRunner {
  private readonly committed = new Map<string, () => void>();

  /** @param manager for entity operations: one row by its key */
  constructor(readonly manager: EntityManager) {
    super();
  }

  override async run<Types extends StatementTypes>(
    statement: Statement<Types>,
    ...parameters: ParametersOf<Types>
  ): Promise<Types['row'][]> {
    const client = (await this.manager.queryRunner?.connect()) as PoolClient;
    return (await client.query<Types['row']>(scoped(queryOf(statement, parameters)))).rows;
  }

  /** Runs `run` once after the commit, however often `key` was given. Not guaranteed: it does not run if the process dies. */
  afterCommit(key: string, run: () => void): void {
    this.committed.set(key, run);
  }

  notifyCommitted(): void {
    for (const run of this.committed.values()) run();
  }
}

/** The same manager, whose calls fail with our errors. */
const translateFailures = (manager: EntityManager): EntityManager =>
  new Proxy(manager, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return (...call: unknown[]) => {
        const result: unknown = member.apply(target, call);
        return result instanceof Promise ? result.catch((error: unknown) => Promise.reject(translateDatabaseError(error))) : result;
      };
    },
  });

/** A deadlock or a serialization failure has no effect, so the work is done again. A statement of its own is a transaction, too. */
async function retried<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt < RETRIES && isRetryable(error)) continue;
      throw translateDatabaseError(error);
    }
  }
}

export class Database extends StatementRunner {
  private translating: EntityManager | undefined;
  /** The transaction that the current work belongs to. */
  private readonly current = new AsyncLocalStorage<{ isOpen: boolean }>();

  /** @param isChecked whether work inside a transaction fails at once when it asks for a second connection. PersistenceModule: not in production */
  constructor(
    private readonly dataSource: DataSource,
    private readonly isChecked = true,
  ) {
    super();
  }

  override async run<Types extends StatementTypes>(
    statement: Statement<Types>,
    ...parameters: ParametersOf<Types>
  ): Promise<Types['row'][]> {
    this.expectNoTransaction();
    const query = scoped(queryOf(statement, parameters));
    const run = () => inStatementSpan(this.driver.url, statement.text, () => this.pool.query<Types['row']>(query));
    return (await retried(run)).rows;
  }

  /** Entity operations without a transaction: a plain read, or one row written by its key. */
  get manager(): EntityManager {
    this.expectNoTransaction();
    return (this.translating ??= translateFailures(this.dataSource.manager));
  }

  /**
   * Runs `work` at isolation level read committed. A deadlock or serialization failure is retried, so `work` must have no effect
   * except on its rows.
   */
  async transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    this.expectNoTransaction();
    return retried(async () => {
      let tx: Transaction | undefined;
      const current = { isOpen: this.isChecked };
      try {
        const result = await this.dataSource.transaction((manager) => this.current.run(current, work, (tx = new Transaction(manager))));
        tx?.notifyCommitted();
        return result;
      } finally {
        // What the work has started and not awaited is not part of it.
        current.isOpen = false;
      }
    });
  }

  /**
   * With a pool that is used up by transactions, one that waits for a second connection waits for the others, and they for it: none continues
   * until the time limit.
   */
  private expectNoTransaction(): void {
    if (this.current.getStore()?.isOpen) throw new Error('a second connection inside a transaction: run the statement through `tx`');
  }

  /** Rejects if Postgres does not answer. */
  async ping(): Promise<void> {
    await this.pool.query('SELECT 1').catch((error: unknown) => {
      throw translateDatabaseError(error);
    });
  }

  /** Maximum number of connections. */
  get poolSize(): number {
    return this.pool.options.max;
  }

  private get pool(): Pool {
    return this.driver.pool;
  }

  private get driver(): Driver {
    const { options } = this.dataSource;
    if (options.type === 'postgres' && options.driver instanceof Driver) return options.driver;
    throw new Error('the data source has no driver of ours: make it with connect() or PersistenceModule');
  }
}
