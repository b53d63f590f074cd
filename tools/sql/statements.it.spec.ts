import { readFileSync } from 'node:fs';
import { Catalog, describe as describeStatement } from './catalog.ts';
import { generate } from './generate.ts';
import { entitiesOf, type Entity, generatedFile, SCHEMAS, withTables } from './schemas.ts';

/** TypeORM's type names and the corresponding names in Postgres. */
const POSTGRES: Record<string, string> = {
  boolean: 'bool',
  integer: 'int4',
  bigint: 'int8',
  smallint: 'int2',
  'double precision': 'float8',
};

const UNPROTECTED = `
  SELECT relname AS name FROM pg_class
   WHERE relnamespace = $1::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition AND NOT relrowsecurity ORDER BY relname`;

const columnsOf = ({ columns }: Entity) =>
  columns
    .map(({ column, type, isArray, isNullable, isKey }) => ({
      column,
      type: `${isArray ? '_' : ''}${POSTGRES[type] ?? type}`,
      isNullable,
      isKey,
    }))
    .sort((a, b) => (a.column < b.column ? -1 : 1));

/**
 * Tables whose rows belong to no organization, or are read only by work for all of them. The participants of a room are found by a room that was
 * visible: a policy of their own would make a join a twentieth more expensive (ADR 53).
 */
const WITHOUT_ORGANIZATION: Record<string, string[]> = {
  billing: ['finished_rooms', 'ledger_audit', 'ledger_differences'],
  room: ['leases', 'live_rooms', 'participants'],
};
const OF_EVERY_SERVICE = ['inbox', 'migrations', 'outbox', 'outbox_set_aside'];

describe('the declarations of the services’ tables', () => {
  const schemas = new Map<string, { text: string; tables: Awaited<ReturnType<Catalog['tables']>>; unprotected: string[] }>();

  let rejected: unknown;

  beforeAll(() =>
    withTables(async (connect) => {
      rejected = await describeStatement(await connect('room'), 'SELECT title FROM nowhere').catch((error: unknown) => error);
      for (const schema of SCHEMAS) {
        const client = await connect(schema.database);
        schemas.set(schema.name, {
          text: await generate(schema, client),
          tables: (await Catalog.read(client, schema.database)).tables(),
          unprotected: (await client.query<{ name: string }>(UNPROTECTED, [schema.database])).rows.map(({ name }) => name),
        });
      }
    }),
  );

  it.each(SCHEMAS)('have the types that Postgres returns for the statements of $name', (schema) => {
    // If this fails, run npm run generate -- sql.
    expect(readFileSync(generatedFile(schema), 'utf8')).toBe(schemas.get(schema.name)?.text);
  });

  it('have no types for a statement that Postgres rejects', () => {
    expect(rejected).toMatchObject({ message: 'relation "nowhere" does not exist' });
  });

  it.each(SCHEMAS)('have entities of $name that match its migrations', (schema) => {
    const tables = schemas.get(schema.name)?.tables;
    for (const entity of entitiesOf(schema)) {
      const columns = (tables?.get(entity.table) ?? []).map(({ column, type, isNullable, isKey }) => ({ column, type, isNullable, isKey }));
      expect({ table: entity.table, columns: columnsOf(entity) }).toEqual({
        table: entity.table,
        columns: columns.sort((a, b) => (a.column < b.column ? -1 : 1)),
      });
    }
  });

  it.each(SCHEMAS)('protect all rows of organizations in the tables of $database by row-level security', ({ name, database }) => {
    const expected = [...OF_EVERY_SERVICE, ...(WITHOUT_ORGANIZATION[database] ?? [])].sort();
    expect(schemas.get(name)?.unprotected).toEqual(expected);
  });
});
