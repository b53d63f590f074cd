import * as pg from 'pg';
import { currentOrganization } from '@classroom/platform';
import { ORGANIZATION_SETTING } from './row-security.js';

/** With this text, TypeORM requests a transaction. It begins with its first statement. */
export const BEGIN_LATER = 'START TRANSACTION';
const BEGIN = { name: 'begin', text: 'BEGIN' };
/** Both settings last until the end of the transaction. */
const SCOPE = { name: 'organization-scope', text: `SELECT set_config('role', $1, true), set_config('${ORGANIZATION_SETTING}', $2, true)` };

/** What pg sends to Postgres. @types/pg declares neither the methods of a query nor the options that it passes to these. */
interface Wire {
  bind(options: { statement: string; values: string[]; valueMapper: (value: string) => string }): void;
  execute(options: { portal: string; rows: number }): void;
}
interface WireQuery extends pg.Query {
  prepare(wire: Wire): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, wire: Wire): void;
}

interface PreparedCall {
  name: string;
  values: string[];
}

/**
 * A statement that travels in one flight with prepared ones before it, whose results it ignores. Until the Sync at the flight's end, all are one
 * transaction. No round trip is added.
 */
class StatementAfter extends (pg.Query as unknown as new (config: object) => WireQuery) {
  private skipped = 0;
  private before: readonly PreparedCall[] = [];

  /** @param callsBefore is called when Postgres is ready for the statement; until then, the state of its transaction is not known */
  constructor(
    private readonly callsBefore: () => readonly PreparedCall[],
    statement: pg.QueryConfig,
  ) {
    super({ ...statement, queryMode: 'extended' });
  }

  override prepare(wire: Wire): void {
    this.before = this.callsBefore();
    for (const { name, values } of this.before) {
      wire.bind({ statement: name, values, valueMapper: String });
      wire.execute({ portal: '', rows: 0 });
    }
    super.prepare(wire);
  }

  override handleDataRow(message: unknown): void {
    if (this.skipped === this.before.length) super.handleDataRow(message);
  }

  override handleCommandComplete(message: unknown, wire: Wire): void {
    if (this.skipped === this.before.length) super.handleCommandComplete(message, wire);
    else this.skipped += 1;
  }
}

/** Parses the statements that precede others, so that no flight needs a Parse for them. Called once for each new connection. */
export const prepareConnection = async (client: pg.ClientBase): Promise<void> => {
  const inBackground = (statement: pg.QueryConfig): ScopedQuery => ({ ...statement, organizationId: undefined });
  await client.query(inBackground(BEGIN));
  await client.query(inBackground({ ...SCOPE, values: ['none', ''] }));
  await client.query(inBackground({ text: 'ROLLBACK' }));
};

/** A statement, and for which organization it runs: the pool may hand out its connection in the context of another request. */
export interface ScopedQuery extends pg.QueryConfig {
  organizationId: string | undefined;
}

/**
 * The statement for the organization of the current work. Its prepared form has another name than in background work, because Postgres plans a
 * statement again whenever the role changes.
 */
export function scoped({ name, ...query }: pg.QueryConfig): ScopedQuery {
  const organizationId = currentOrganization();
  if (name === undefined) return { ...query, organizationId };
  return { ...query, name: organizationId === undefined ? name : `${name}:tenant`, organizationId };
}

type Query = (...call: unknown[]) => unknown;

/** The transactions that have no statement yet, and their organizations. */
const unsent = new WeakMap<pg.Client, { organizationId: string | undefined }>();
const isEnd = (text: string | undefined) => text === 'COMMIT' || text === 'ROLLBACK';

/**
 * Calls `query`, the client's own, so that the statement sees only the rows of its organization. A transaction begins in one flight with its first
 * statement, which also sets the scope of the others. Each statement sent here must be a single one.
 */
export function queryScoped(client: pg.Client, tenantRole: string, query: Query, call: unknown[]): unknown {
  const [given, ...rest] = call;
  const values = Array.isArray(rest[0]) ? { values: rest[0] as unknown[] } : {};
  const statement = typeof given === 'string' ? { text: given, ...values } : (given as ScopedQuery);
  const transaction = unsent.get(client);
  const { organizationId } = transaction ?? ('organizationId' in statement ? statement : { organizationId: currentOrganization() });
  if (statement.text === BEGIN_LATER) {
    unsent.set(client, { organizationId });
    return Promise.resolve({ rows: [] });
  }
  unsent.delete(client);
  if (transaction && isEnd(statement.text)) return Promise.resolve({ rows: [] });
  const callback = call.at(-1);
  const send = (): unknown => {
    if (!transaction && organizationId === undefined) return query(...call);
    const submitted = new StatementAfter(() => {
      const before: PreparedCall[] = transaction ? [{ name: BEGIN.name, values: [] }] : [];
      if (organizationId !== undefined && client.getTransactionStatus() === 'I')
        before.push({ name: SCOPE.name, values: [tenantRole, organizationId] });
      return before;
    }, statement);
    if (typeof callback === 'function') return query(submitted, callback);
    return new Promise((resolve, reject) =>
      query(submitted, (error: unknown, result: unknown) => (error ? reject(error) : resolve(result))),
    );
  };
  const sent = send();
  // TypeORM ignores the failure and releases the connection, whose next user would work in this transaction.
  if (statement.text === 'ROLLBACK' && sent instanceof Promise) sent.catch(() => void client.end());
  return sent;
}
