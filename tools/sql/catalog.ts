import type { Client, Connection } from 'pg';

export interface CatalogColumn {
  table: string;
  column: string;
  type: string;
  isNullable: boolean;
  isKey: boolean;
}

/** Tables and types of a schema, as the migrations created them. */
export class Catalog {
  private readonly columns: ReadonlyMap<string, CatalogColumn>;
  private readonly types: ReadonlyMap<number, string>;

  private constructor(columns: ReadonlyMap<string, CatalogColumn>, types: ReadonlyMap<number, string>) {
    this.columns = columns;
    this.types = types;
  }

  static async read(client: Client, schema: string): Promise<Catalog> {
    const columns = await client.query<CatalogColumn & { oid: number; attribute: number }>(
      `SELECT c.oid, a.attnum AS attribute, c.relname AS table, a.attname AS column, t.typname AS type, NOT a.attnotnull AS "isNullable",
              EXISTS (SELECT 1 FROM pg_index i WHERE i.indrelid = c.oid AND (i.indisprimary OR (c.relkind = 'p' AND i.indisunique)) AND a.attnum = ANY(i.indkey)) AS "isKey"
         FROM pg_class c
         JOIN pg_namespace n ON n.oid = c.relnamespace
         JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
         JOIN pg_type t ON t.oid = a.atttypid
        WHERE n.nspname = $1 AND c.relkind IN ('r', 'p') AND c.relname <> 'migrations' ORDER BY c.relname, a.attnum`,
      [schema],
    );
    const types = await client.query<{ oid: number; name: string }>('SELECT oid, typname AS name FROM pg_type');
    return new Catalog(
      new Map(columns.rows.map(({ oid, attribute, ...column }) => [`${oid}.${attribute}`, column])),
      new Map(types.rows.map(({ oid, name }) => [oid, name])),
    );
  }

  columnOf({ table, attribute }: { table: number; attribute: number }): CatalogColumn | undefined {
    return this.columns.get(`${table}.${attribute}`);
  }

  typeName(oid: number): string {
    return this.types.get(oid) ?? `type ${oid}`;
  }

  tables(): Map<string, CatalogColumn[]> {
    return Map.groupBy(this.columns.values(), ({ table }) => table);
  }
}

interface Type {
  /** TypeScript type of a column, as pg returns it (libs/persistence/src/driver.ts: int8 as a number). */
  output: string;
  /** Type of a parameter, as libs/persistence/src/statements.ts names it. */
  input: string;
}

const text: Type = { output: 'string', input: 'SqlText' };
const number: Type = { output: 'number', input: 'SqlNumber' };
const time: Type = { output: 'Date', input: 'SqlTime' };
const json: Type = { output: 'unknown', input: 'SqlJson' };

const TYPES: Record<string, Type> = {
  bool: { output: 'boolean', input: 'SqlBoolean' },
  bytea: { output: 'Buffer', input: 'SqlBytes' },
  char: text,
  bpchar: text,
  float4: number,
  float8: number,
  inet: text,
  int2: number,
  int4: number,
  int8: number,
  interval: { output: 'never', input: 'SqlText' },
  json,
  jsonb: json,
  name: text,
  numeric: { output: 'string', input: 'SqlDecimal' },
  text,
  timestamptz: time,
  uuid: text,
  varchar: text,
  void: { output: 'undefined', input: 'never' },
};

/** @param name as in Postgres, with a leading `_` for an array */
export function typeOf(name: string): Type {
  const type = TYPES[name.replace(/^_/, '')];
  if (!type) throw new Error(`tools/sql/catalog.ts knows no type ${name}`);
  if (!name.startsWith('_')) return type;
  // pg returns the elements of int8[] as strings.
  return { output: `${name === '_int8' ? 'string' : type.output}[]`, input: `SqlArray<${type.input}>` };
}

export interface Column {
  name: string;
  /** Type of the column. */
  oid: number;
  /** Table and number of the column, if it is a plain table column; otherwise 0. */
  table: number;
  attribute: number;
}

export interface Description {
  /** Types of $1, $2, … */
  parameters: number[];
  columns: Column[];
}

interface Field {
  name: string;
  dataTypeID: number;
  tableID: number;
  columnID: number;
}

/** Parameters and columns of a statement, without running it, by Parse and Describe of the Postgres protocol. */
export function describe(client: Client, text: string): Promise<Description> {
  return new Promise((resolve, reject) => {
    const found: Description = { parameters: [], columns: [] };
    let wire: Connection | undefined;
    const onParameters = ({ dataTypeIDs }: { dataTypeIDs: number[] }) => (found.parameters = dataTypeIDs);
    const message = {
      submit(connection: Connection) {
        wire = connection;
        wire.on('parameterDescription', onParameters);
        const raw = connection as unknown as { parse(query: object): void; describe(of: object): void; sync(): void };
        raw.parse({ text, name: '', types: [] });
        raw.describe({ type: 'S', name: '' });
        raw.sync();
      },
      handleRowDescription({ fields }: { fields: Field[] }) {
        found.columns = fields.map(({ name, dataTypeID, tableID, columnID }) => ({
          name,
          oid: dataTypeID,
          table: tableID,
          attribute: columnID,
        }));
      },
      // Of a statement that failed, the client does not report that Postgres is ready again.
      handleError(error: Error) {
        wire?.off('parameterDescription', onParameters);
        reject(error);
      },
      handleReadyForQuery() {
        wire?.off('parameterDescription', onParameters);
        resolve(found);
      },
    };
    (client.query as unknown as (message: object) => void)(message);
  });
}
