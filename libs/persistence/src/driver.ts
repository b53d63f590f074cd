import * as pg from 'pg';
import { inSpan, isTraced, peerOf, SpanKind } from '@classroom/platform';

const INT8 = pg.types.builtins.INT8;

/** Sums, versions and credits are whole numbers below 2^53; a larger one is an error, never a rounded number. */
export function toSafeInteger(text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number)) throw new RangeError(`${text} is larger than a number can hold`);
  return number;
}

/** pg gives int8 as text by itself. */
const types = {
  getTypeParser: ((oid: Parameters<typeof pg.types.getTypeParser>[0], format?: 'text') =>
    oid === INT8 ? toSafeInteger : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
};

/** A span for a statement of a sampled trace. instrumentation-pg takes 30 µs a statement, sampled or not. */
export function inStatementSpan<T>(url: string, sql: string, work: () => Promise<T>): Promise<T> {
  if (!isTraced()) return work();
  const attributes = { 'db.system.name': 'postgresql', 'db.query.text': sql, ...peerOf(url) };
  return inSpan(`pg.query:${/\w+/.exec(sql)?.[0] ?? ''}`, { kind: SpanKind.CLIENT, attributes }, work);
}

/**
 * The driver that TypeORM uses: pg, with its pool where the typed statements find it too, so that a service has one pool,
 * and with a span for each statement of a transaction and of an entity manager.
 */
export class Driver {
  readonly Pool: new (config: pg.PoolConfig) => pg.Pool;
  private opened: pg.Pool | undefined;

  constructor(readonly url: string) {
    const open = (config: pg.PoolConfig) => (this.opened = new pg.Pool({ ...config, types, Client: clientOf(url) } as pg.PoolConfig));
    // TypeORM calls `new driver.Pool(config)`, once more for each try to connect.
    this.Pool = function PoolOfDriver(config: pg.PoolConfig) {
      return open(config);
    } as unknown as new (config: pg.PoolConfig) => pg.Pool;
  }

  get pool(): pg.Pool {
    if (!this.opened) throw new Error('the database is not connected yet');
    return this.opened;
  }
}

/** Statements with a callback are those of `pool.query`, which has its own span: the callback may run in another's context. */
function clientOf(url: string): typeof pg.Client {
  return class TracedClient extends pg.Client {
    override query(...call: unknown[]): never {
      const run = () => (super.query as (...all: unknown[]) => unknown).apply(this, call);
      const [statement] = call as [string | { text?: string }];
      const sql = typeof statement === 'string' ? statement : statement?.text;
      const isAwaited = sql !== undefined && typeof call.at(-1) !== 'function';
      return (isAwaited && isTraced() ? inStatementSpan(url, sql, run as () => Promise<unknown>) : run()) as never;
    }
  };
}
