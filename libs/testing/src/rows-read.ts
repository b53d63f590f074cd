interface PlanNode {
  'Node Type': string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: PlanNode[];
}

type Query = (sql: string, parameters?: unknown[]) => Promise<unknown[]>;

/** The number of rows that a statement's scans read, including those that a filter discards. The statement is executed. */
export async function rowsRead(query: Query, sql: string, parameters?: unknown[]): Promise<number> {
  const [row] = (await query(`EXPLAIN (ANALYZE, FORMAT JSON) ${sql}`, parameters)) as { 'QUERY PLAN': { Plan: PlanNode }[] }[];
  const plan = row?.['QUERY PLAN'][0]?.Plan;
  if (!plan) throw new Error('Postgres gave no plan');
  return scanned(plan);
}

function scanned(node: PlanNode): number {
  const read = node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
  const own = node['Node Type'].includes('Scan') ? read * node['Actual Loops'] : 0;
  return (node.Plans ?? []).reduce((sum, child) => sum + scanned(child), own);
}
