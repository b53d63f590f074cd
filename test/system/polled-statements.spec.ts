import { readFileSync } from 'node:fs';
import { eventually, TestStack } from '@classroom/testing';
import { fillDatabase } from './filled-database.js';

const APPS = ['organization', 'room', 'recording', 'billing', 'ai', 'media'];
/** Every statement's plan goes to the server's log, as JSON; the rest makes filling fast and leaves statistics as they were taken. */
const EXPLAINED = {
  shared_buffers: '512MB',
  max_wal_size: '8GB',
  autovacuum: 'off',
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': 0,
  'auto_explain.log_format': 'json',
  // Names the schema of each table.
  'auto_explain.log_verbose': 'on',
};
/** A table of so many rows grows with use. */
const GROWS = 10_000;
/** Background work begins with a process; when for so long no statement came that was not seen before, all of it has run. */
const NOTHING_NEW_MS = 6_000;
const END_OF_PLAN = '\n\t}\n';

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  Schema?: string;
  Plans?: Plan[];
}
/** By a statement's text the tables that one of its plans reads from beginning to end. */
type Scans = Map<string, Set<string>>;
interface Explained {
  'Query Text': string;
  Plan: Plan;
}

/** Processes that serve no request: what they ask the database is what they ask it again and again. */
describe('what services ask their database in the background', () => {
  let stack: TestStack;
  const scans: Scans = new Map();

  beforeAll(async () => {
    stack = await TestStack.start({ apps: APPS, postgres: { fsync: false, settings: EXPLAINED } });
    const apps = APPS.map((name) => stack.app(name));
    await Promise.all(apps.map((app) => app.stop()));
    await fillDatabase(stack.urls.postgresAdmin);
    const from = readFileSync(stack.part('postgres').logFile).length;
    await Promise.all(apps.map((app) => app.start()));
    // Gauges are read when they are asked for.
    for (const name of APPS) await fetch(`http://127.0.0.1:${stack.ports.probes[name]}/metrics`);
    await readPlans(stack.part('postgres').logFile, from, scans);
  }, 300_000);

  afterAll(() => stack?.stop(), 60_000);

  it('is seen for every service', () => {
    const texts = [...scans.keys()].join('\n');
    for (const part of ['webhook_deliveries', 'room_meters', 'accounts', 'recordings', 'videos', 'chats', 'rooms', 'outbox'])
      expect(texts).toContain(part);
    expect(scans.size).toBeGreaterThan(30);
  });

  it('reads no table from its beginning to its end that grows with use', async () => {
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

/** Reads on until nothing new comes. */
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
      // A generic plan may differ from the first ones, and one schema's from another's: each that reads a whole table counts.
      scans.set(text, new Set([...(known ?? []), ...scansOf(explained.Plan)]));
    }
    expect(Date.now() - newestAt).toBeGreaterThan(NOTHING_NEW_MS);
  }, 120_000);
}

/** auto_explain writes a plan on lines that begin with a tab. */
function plansIn(log: string): Explained[] {
  return [...log.matchAll(/ plan:\n((?:\t.*\n?)+)/g)].map(([, json = '']) => JSON.parse(json) as Explained);
}

const scansOf = (plan: Plan): string[] => [
  ...(plan['Node Type'] === 'Seq Scan' ? [`${plan.Schema}.${plan['Relation Name']}`] : []),
  ...(plan.Plans ?? []).flatMap(scansOf),
];
