import type { Database, Transaction } from './database.js';
import { identifier } from './row-security.js';

/** Rows of one transaction. */
const BATCH = 5_000;

/** A table with rows of organizations. */
export interface OwnedTable {
  name: string;
  /** Deletes at most 5,000 rows of the organization `$1`. */
  deletion: string;
}

interface Row {
  name: string;
  /** The columns of the primary key, or of a unique index: partitioned tables have no primary key. */
  uniqueKey: string[];
  hasOrganization: boolean;
  parent: string | null;
  key: string | null;
}

/**
 * Tables of the current schema that have rows of organizations, each after those whose rows belong to it. They are found as row-level security
 * finds them (`protectRows`), and by the comment `reached through <table> by <column>`, so that a new table is among them without being named.
 * The service's role cannot delete from append-only tables, so they are not among them.
 */
export async function listOwnedTables(database: Database): Promise<OwnedTable[]> {
  const rows: Row[] = await database.manager.query(
    `SELECT c.relname AS name, a.attname IS NOT NULL AS "hasOrganization", of[1] AS parent, of[2] AS key,
            ARRAY(SELECT k.attname::text FROM pg_attribute k
                   WHERE k.attrelid = c.oid AND k.attnum = ANY((SELECT i.indkey FROM pg_index i
                     WHERE i.indrelid = c.oid AND i.indisunique AND i.indpred IS NULL AND i.indexprs IS NULL
                     ORDER BY i.indisprimary DESC, i.indexrelid LIMIT 1)::int2[])) AS "uniqueKey"
       FROM pg_class c
       LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'organization_id' AND NOT a.attisdropped
      CROSS JOIN LATERAL coalesce(obj_description(c.oid, 'pg_class'), '') AS comment
      CROSS JOIN LATERAL regexp_match(comment, '^(?:belongs to|reached through) (\\w+) by (\\w+)') AS of
      WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
        AND (a.attname IS NOT NULL OR of IS NOT NULL) AND comment NOT LIKE 'append-only%'
      ORDER BY c.relname`,
  );
  const tables = new Map(rows.map((row) => [row.name, row]));
  const parentOf = ({ hasOrganization, parent }: Row) => (hasOrganization ? undefined : tables.get(parent ?? ''));
  const depthOf = (row: Row): number => {
    const parent = parentOf(row);
    return parent ? 1 + depthOf(parent) : 0;
  };
  return rows.sort((a, b) => depthOf(b) - depthOf(a)).map((row) => ({ name: row.name, deletion: deletionFrom(row, parentOf) }));
}

function deletionFrom(row: Row, parentOf: (row: Row) => Row | undefined): string {
  const isOwned = (one: Row, alias: string): string => {
    const parent = parentOf(one);
    if (!parent) return `${alias}.organization_id = $1`;
    const [key, above] = [identifier(one.key ?? ''), `${alias}_parent`];
    return `EXISTS (SELECT FROM ${identifier(parent.name)} ${above} WHERE ${above}.${key} = ${alias}.${key} AND ${isOwned(parent, above)})`;
  };
  const [table, columns] = [identifier(row.name), row.uniqueKey.map(identifier)];
  if (columns.length === 0) throw new Error(`the table ${row.name} has no unique key`);
  return `DELETE FROM ${table} d USING (SELECT ${columns.join(', ')} FROM ${table} t WHERE ${isOwned(row, 't')} LIMIT ${BATCH}) batch
    WHERE ${columns.map((column) => `d.${column} = batch.${column}`).join(' AND ')}`;
}

/** @returns how many rows were deleted: less than 5,000 if none is left */
export async function deleteOwnedRows(tx: Transaction, { deletion }: OwnedTable, organizationId: string): Promise<number> {
  const [, deleted]: [unknown, number] = await tx.manager.query(deletion, [organizationId]);
  return deleted;
}

/** Whether a deletion that deleted this many rows may have left some. */
export const mayHaveLeftRows = (deleted: number) => deleted === BATCH;
