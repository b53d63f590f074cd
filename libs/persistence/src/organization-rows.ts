import type { Database, Transaction } from './database.js';
import { identifier } from './identifier.js';

/** Rows of one transaction. */
const BATCH = 5_000;

/** A table, or one partition of it, with rows of organizations. */
export interface OwnedTable {
  /** Of the table, not of its partition. */
  name: string;
  /** Deletes at most 5,000 rows of the organization `$1`. */
  deletion: string;
}

interface Row {
  name: string;
  partition: string;
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
    `SELECT c.relname AS name, coalesce(leaf.relid, c.oid)::regclass::text AS partition, a.attname IS NOT NULL AS "hasOrganization", of[1] AS parent, of[2] AS key
       FROM pg_class c
       LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'organization_id' AND NOT a.attisdropped
      CROSS JOIN LATERAL regexp_match(coalesce(obj_description(c.oid, 'pg_class'), ''), '^(?:belongs to|reached through) (\\w+) by (\\w+)') AS of
       LEFT JOIN LATERAL pg_partition_tree(c.oid) AS leaf ON true
      WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND coalesce(leaf.isleaf, true)
        AND (a.attname IS NOT NULL OR of IS NOT NULL)
        AND coalesce(obj_description(c.oid, 'pg_class'), '') NOT LIKE 'append-only%'
      ORDER BY c.relname, leaf.relid`,
  );
  const tables = new Map(rows.map((row) => [row.name, row]));
  const depthOf = (row: Row | undefined): number =>
    row && !row.hasOrganization && row.parent !== null ? 1 + depthOf(tables.get(row.parent)) : 0;
  const isOwned = (row: Row, alias: string): string => {
    const parent = row.hasOrganization || row.parent === null ? undefined : tables.get(row.parent);
    if (!parent) return `${alias}.organization_id = $1`;
    const [key, above] = [identifier(row.key ?? ''), `${alias}_parent`];
    return `EXISTS (SELECT FROM ${identifier(parent.name)} ${above} WHERE ${above}.${key} = ${alias}.${key} AND ${isOwned(parent, above)})`;
  };
  return rows
    .sort((a, b) => depthOf(b) - depthOf(a))
    .map((row) => ({
      name: row.name,
      deletion: `DELETE FROM ${row.partition} WHERE ctid = ANY(ARRAY(SELECT t.ctid FROM ${row.partition} t WHERE ${isOwned(row, 't')} LIMIT ${BATCH}))`,
    }));
}

/** @returns how many rows were deleted: less than 5,000 if none is left */
export async function deleteOwnedRows(tx: Transaction, { deletion }: OwnedTable, organizationId: string): Promise<number> {
  const [, deleted]: [unknown, number] = await tx.manager.query(deletion, [organizationId]);
  return deleted;
}

/** Whether a deletion that deleted this many rows may have left some. */
export const mayHaveLeftRows = (deleted: number) => deleted === BATCH;
