import type { RunningStack } from './running-stack.js';

/** The number of rows that contain a text, by table; without tables that have none. Partitions are counted as their table. */
export async function rowsWith(stack: RunningStack, text: string): Promise<Record<string, number>> {
  const tables = await stack.rows<{ name: string }>(
    `SELECT format('%I.%I', n.nspname, c.relname) AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname !~ '^(pg_|information_schema)' AND c.relkind IN ('r', 'p') AND NOT c.relispartition ORDER BY 1`,
  );
  const found: Record<string, number> = {};
  for (const { name } of tables) {
    const [row] = await stack.rows<{ count: number }>(`SELECT count(*)::int AS count FROM ${name} t WHERE strpos(t::text, $1) > 0`, [text]);
    if (row?.count) found[name] = row.count;
  }
  return found;
}

/** Like `rowsWith`, without facts: published ones stay in an outbox for an hour, as in the streams for their time. */
export async function storedRowsWith(stack: RunningStack, text: string): Promise<Record<string, number>> {
  const found = Object.entries(await rowsWith(stack, text));
  return Object.fromEntries(found.filter(([table]) => !table.endsWith('.outbox')));
}
