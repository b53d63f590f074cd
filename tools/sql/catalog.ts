import type { Client } from 'pg';

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
