import * as pg from 'pg';
import { currentOrganization } from '@classroom/platform';
import { ORGANIZATION_SETTING } from './row-security.js';

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

/**
 * A statement that sees the rows of one organization. Role and setting travel in the same flight, before the statement: until the Sync at the
 * flight's end, all are one transaction, which ends them. No round trip is added.
 */
class OrganizationQuery extends (pg.Query as unknown as new (config: object) => WireQuery) {
  private isScoped = false;

  constructor(
    private readonly scope: [tenantRole: string, organizationId: string],
    statement: pg.QueryConfig,
  ) {
    super({ ...statement, queryMode: 'extended' });
  }

  override prepare(wire: Wire): void {
    wire.bind({ statement: SCOPE.name, values: this.scope, valueMapper: String });
    wire.execute({ portal: '', rows: 0 });
    super.prepare(wire);
  }

  override handleDataRow(message: unknown): void {
    if (this.isScoped) super.handleDataRow(message);
  }

  override handleCommandComplete(message: unknown, wire: Wire): void {
    if (this.isScoped) super.handleCommandComplete(message, wire);
    this.isScoped = true;
  }
}

/** Parses the statement that sets the scope, so that no flight needs a Parse for it. Called once for each new connection. */
export const prepareConnection = async (client: pg.ClientBase): Promise<void> => {
  const query: ScopedQuery = { ...SCOPE, values: ['none', ''], organizationId: undefined };
  await client.query(query);
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

/**
 * Calls `query`, the client's own, so that the statement sees only the rows of its organization. A transaction gets the scope together with
 * its first statement, and its other statements need none.
 */
export function queryScoped(client: pg.ClientBase, tenantRole: string, query: Query, call: unknown[]): unknown {
  const [given, ...rest] = call;
  const values = Array.isArray(rest[0]) ? { values: rest[0] as unknown[] } : {};
  const statement = typeof given === 'string' ? { text: given, ...values } : (given as ScopedQuery);
  const organizationId = 'organizationId' in statement ? statement.organizationId : currentOrganization();
  if (organizationId === undefined || client.getTransactionStatus() !== 'I') return query(...call);
  if (statement.text === 'START TRANSACTION') {
    const role = client.escapeIdentifier(tenantRole);
    return query(
      `${statement.text}; SET LOCAL ROLE ${role}; SET LOCAL ${ORGANIZATION_SETTING} = ${client.escapeLiteral(organizationId)}`,
      ...rest,
    );
  }
  const callback = call.at(-1);
  const submitted = new OrganizationQuery([tenantRole, organizationId], statement);
  if (typeof callback === 'function') return query(submitted, callback);
  return new Promise((resolve, reject) => query(submitted, (error: unknown, result: unknown) => (error ? reject(error) : resolve(result))));
}
