import * as pg from 'pg';
import { inSpan, isTraced, peerOf, SpanKind } from '@classroom/platform';
import { BEGIN_LATER, prepareConnection, queryScoped } from './organization-query.js';
import { tenantRoleOf } from './row-security.js';

const INT8 = pg.types.builtins.INT8;

/** Sums, versions and credits are whole numbers below 2^53. A larger number is an error; it is never rounded. */
export function toSafeInteger(text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number)) throw new RangeError(`${text} is larger than a number can hold`);
  return number;
}

/** By default pg returns int8 as text. */
const types = {
  getTypeParser: ((oid: Parameters<typeof pg.types.getTypeParser>[0], format?: 'text') =>
    oid === INT8 ? toSafeInteger : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
};

/** Creates a span for a statement if the trace is sampled. instrumentation-pg takes 30 µs per statement, sampled or not. */
export function inStatementSpan<T>(url: string, sql: string, work: () => Promise<T>): Promise<T> {
  if (!isTraced()) return work();
  const attributes = { 'db.system.name': 'postgresql', 'db.query.text': sql, ...peerOf(url) };
  return inSpan(`pg.query:${/\w+/.exec(sql)?.[0] ?? ''}`, { kind: SpanKind.CLIENT, attributes }, work);
}

/**
 * The driver for TypeORM: pg, with a pool that the typed statements also use, so that a service has one pool. It creates a span
 * for each statement of a transaction and of an entity manager, and limits each to the rows of the organization that the work is for.
 */
export class Driver {
  readonly Pool: new (config: pg.PoolConfig) => pg.Pool;
  private opened: pg.Pool | undefined;

  constructor(readonly url: string) {
    const own = { types, Client: clientOf(url), onConnect: prepareConnection };
    const open = (config: pg.PoolConfig) => (this.opened = new pg.Pool({ ...config, ...own } as pg.PoolConfig));
    // TypeORM calls `new driver.Pool(config)`, again for each attempt to connect.
    this.Pool = function PoolOfDriver(config: pg.PoolConfig) {
      return open(config);
    } as unknown as new (config: pg.PoolConfig) => pg.Pool;
  }

  get pool(): pg.Pool {
    if (!this.opened) throw new Error('the database is not connected yet');
    return this.opened;
  }
}

/** Statements with a callback come from `pool.query`, which has its own span; the callback may run in another context. */
function clientOf(url: string): typeof pg.Client {
  const tenantRole = tenantRoleOf(decodeURIComponent(new URL(url).username));
  return class TracedClient extends pg.Client {
    override query(...call: unknown[]): never {
      const run = () => queryScoped(this, tenantRole, (super.query as (...all: unknown[]) => unknown).bind(this), call) as never;
      if (typeof call.at(-1) === 'function' || !isTraced()) return run();
      const [statement] = call as [string | { text?: string }];
      const sql = typeof statement === 'string' ? statement : statement.text;
      return sql === undefined || sql === BEGIN_LATER ? run() : (inStatementSpan(url, sql, run as () => Promise<unknown>) as never);
    }
  };
}
