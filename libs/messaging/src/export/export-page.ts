import { selectionOf, type ExportPage, type ExportPageRequest } from '@classroom/contracts';
import { cursorOf, type Database, type Statement, type SqlArray, type SqlNumber, type SqlText } from '@classroom/persistence/sql';
import { z } from 'zod';
import { fitMessage } from '../rpc/server.js';

/** Rows in a page at most, of all stores together. */
const ROWS = 500;

/**
 * Reads the rows of a subject after a position. Parameters: the organization; the person or null; the class or null (both null for the whole
 * organization); the key of the last row of the page before, empty for the first page; the maximum number of rows. A store that a person or a
 * class has no part in compares the parameter with null.
 */
export type ExportStatement = Statement<{
  parameters: [SqlText, SqlText, SqlText, SqlArray<SqlText>, SqlNumber];
  row: { key: string[] };
}>;

/** What the statement read, without its key. */
export type ExportedRow = Record<string, unknown>;

export interface ExportedStore {
  /** The name of the file, without its ending. */
  name: string;
  statement: ExportStatement;
  /** Changes a row before it leaves the service; undefined leaves it out. Default: unchanged. */
  toData?: (row: ExportedRow, uid: string | null) => ExportedRow | undefined;
}

const unchanged = (row: ExportedRow): ExportedRow => row;
const position = cursorOf(z.tuple([z.string(), z.array(z.string()).max(10)]));

/**
 * Reads one page of a subject's data. A page contains rows of one or more stores, in the order of `stores`. Each read is a statement of its own, so
 * that no transaction lasts as long as an export: a row that is written meanwhile may be missing.
 */
export async function exportPage(
  database: Database,
  stores: readonly ExportedStore[],
  { organizationId, subject, cursor }: ExportPageRequest,
): Promise<ExportPage> {
  const { uid, roomId } = selectionOf(subject);
  const [from, key] = cursor === null ? [stores[0]?.name, []] : position.decode(cursor);
  const read: { store: string; key: string[]; data: ExportedRow | undefined }[] = [];
  let after = key;
  for (const { name, statement, toData = unchanged } of stores.slice(stores.findIndex((store) => store.name === from))) {
    const rows = await database.run(statement, organizationId, uid, roomId, after, ROWS - read.length);
    for (const { key, ...row } of rows) read.push({ store: name, key, data: toData(row, uid) });
    if (read.length === ROWS) break;
    after = [];
  }
  const records = read.flatMap(({ data, ...row }) => (data ? [{ ...row, data }] : []));
  // A record that is alone too large for a message fails when it is sent.
  const sent = records.slice(0, Math.max(fitMessage(records).length, 1));
  const last = sent.length < records.length ? sent.at(-1) : read.length === ROWS ? read.at(-1) : undefined;
  return { records: sent.map(({ store, data }) => ({ store, data })), next: last ? position.encode([last.store, last.key]) : null };
}
