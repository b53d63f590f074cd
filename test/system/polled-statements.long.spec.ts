import { readFileSync } from 'node:fs';
import { eventually, TestStack } from '@classroom/testing';
import { fillDatabase } from './filled-database.js';

const APPS = ['organization', 'room', 'recording', 'billing', 'ai', 'media'];
/** Logs the plan of every statement as JSON. The other settings speed up filling and keep statistics as ANALYZE took them. */
const EXPLAINED = {
  shared_buffers: '512MB',
  max_wal_size: '8GB',
  autovacuum: 'off',
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': 0,
  'auto_explain.log_format': 'json',
  // Adds the schema of each table.
  'auto_explain.log_verbose': 'on',
};
/** A table with at least this many rows grows with use. */
const GROWS = 10_000;
/** Background work starts with a process. If no new statement appears for this time, all of it has run. */
const NOTHING_NEW_MS = 6_000;
const END_OF_PLAN = '\n\t}\n';

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  Schema?: string;
  Plans?: Plan[];
}
/** By the text of a statement, the tables that one of its plans scans completely. */
type Scans = Map<string, Set<string>>;
interface Explained {
  'Query Text': string;
  Plan: Plan;
}

/** Processes without requests: the statements that they run are those that they repeat in the background. */
describe('the background queries of services', () => {
  let stack: TestStack;
  const scans: Scans = new Map();

  beforeAll(async () => {
    stack = await TestStack.start({ apps: APPS, postgres: { fsync: false, settings: EXPLAINED } });
    const apps = APPS.map((name) => stack.app(name));
    await Promise.all(apps.map((app) => app.stop()));
    await fillDatabase(stack.urls.postgresAdmin);
    const from = readFileSync(stack.part('postgres').logFile).length;
    await Promise.all(apps.map((app) => app.start()));
    // Gauges are computed when they are scraped.
    for (const name of APPS) await fetch(`http://127.0.0.1:${stack.ports.probes[name]}/metrics`);
    await readPlans(stack.part('postgres').logFile, from, scans);
  });

  afterAll(() => stack?.stop());

  it('are seen for every service', () => {
    const texts = [...scans.keys()].join('\n');
    for (const part of ['webhook_deliveries', 'room_meters', 'accounts', 'recordings', 'videos', 'chats', 'rooms', 'outbox'])
      expect(texts).toContain(part);
    expect(scans.size).toBeGreaterThan(30);
  });

  it('do not scan a table that grows with use', async () => {
    const large = await stack.rows<{ name: string }>(
      `SELECT c.relnamespace::regnamespace || '.' || c.relname AS name FROM pg_class c WHERE c.relkind = 'r' AND c.reltuples >= ${GROWS} AND c.relnamespace = ANY($1::regnamespace[])`,
      [APPS],
    );
    const grows = new Set(large.map(({ name }) => name));
    expect(grows.size).toBeGreaterThan(30);
    const found = [...scans].flatMap(([text, tables]) =>
      [...tables].filter((table) => grows.has(table)).map((table) => `${table}: ${text}`),
    );
    expect(found).toEqual([]);
  });
});

/** Reads new log entries until no new statement appears. */
async function readPlans(file: string, from: number, scans: Scans): Promise<void> {
  let offset = from;
  let newestAt = Date.now();
  await eventually(() => {
    const bytes = readFileSync(file).subarray(offset);
    const last = bytes.lastIndexOf(END_OF_PLAN);
    const end = last < 0 ? 0 : last + END_OF_PLAN.length;
    offset += end;
    for (const explained of plansIn(bytes.subarray(0, end).toString())) {
      const text = explained['Query Text'].replaceAll(/\s+/g, ' ');
      const known = scans.get(text);
      if (!known) newestAt = Date.now();
      // A generic plan may differ from the first ones, and plans may differ between schemas: each full scan counts.
      scans.set(text, new Set([...(known ?? []), ...scansOf(explained.Plan)]));
    }
    expect(Date.now() - newestAt).toBeGreaterThan(NOTHING_NEW_MS);
  }, 120_000);
}

/** auto_explain writes a plan in lines that begin with a tab. */
function plansIn(log: string): Explained[] {
  return [...log.matchAll(/ plan:\n((?:\t.*\n?)+)/g)].map(([, json = '']) => JSON.parse(json) as Explained);
}

const scansOf = (plan: Plan): string[] => [
  ...(plan['Node Type'] === 'Seq Scan' ? [`${plan.Schema}.${plan['Relation Name']}`] : []),
  ...(plan.Plans ?? []).flatMap(scansOf),
];
