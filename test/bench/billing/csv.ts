// Exports a file with very many rows: through billing, NATS and the gateway, compared with Postgres writing it to a bare client.
import http from 'node:http';
import type { Connection } from 'pg';
import { cpuOf, memoryOf, difference } from '../load/processes.ts';
import { PATHS } from '../results/paths.ts';
import { cells, printTable, thousands } from '../results/print.ts';
import { cpuPerUnit, median, rateOf, toResult, type Measurement, type Round } from '../results/results.ts';
import { makeExport, EXPORTED, FROM, ORGANIZATION, TO } from './history.ts';
import type { BenchStack } from './stack.ts';

const TARGET_BYTES = 64e6;
const SAMPLE_MS = 50;
const LINE_FEED = 10;
const DAY_MS = 86_400_000;
const where = (organizationId: string) => `FROM billing.sessions_by_month s JOIN billing.room_meters m USING (sid)
  WHERE s.organization_id = '${organizationId}' AND s.uid = '${EXPORTED}'
    AND s.joined_at >= '${FROM.toISOString()}' AND s.joined_at < '${new Date(TO.getTime() + DAY_MS).toISOString()}'
  ORDER BY s.joined_at DESC, s.connection_sid DESC`;
const SECONDS = `floor(greatest(0, extract(epoch FROM coalesce(s.left_at, now()) - s.joined_at)))`;
const STATUS = `CASE WHEN s.left_at IS NULL THEN 'Active' ELSE 'Completed' END`;

/** The same rows as CSV written by Postgres, and with the same bytes as our file. */
const copiesOf = (organizationId: string): Record<string, string> => ({
  'COPY, its own CSV': `COPY (SELECT m.room_id, m.title, s.joined_at, s.left_at, round(${SECONDS} / 60, 2), round(${SECONDS} / 60, 2), ${STATUS}, s.ip ${where(organizationId)}) TO STDOUT (FORMAT csv)`,
  'COPY, our text': `COPY (SELECT billing.csv_cell(m.room_id) || ',' || billing.csv_cell(m.title) || ',' || billing.csv_instant(s.joined_at) || ',' ||
    billing.csv_instant(s.left_at) || ',' || billing.csv_minutes(${SECONDS}) || ',' || billing.csv_minutes(${SECONDS}) || ',' || ${STATUS} || ',' ||
    billing.csv_cell(coalesce(s.ip, '')) ${where(organizationId)}) TO STDOUT`,
});

/** `first`: seconds to the first byte */
export interface File extends Round {
  bytes: number;
  first: number;
}

export async function measureCsv(
  bench: BenchStack,
  { organizationId, rows, rounds, say }: { organizationId: string; rows: number; rounds: number; say: (line: string) => void },
): Promise<Measurement> {
  await makeExport(bench, organizationId, rows);
  const copies = copiesOf(organizationId);
  say(`${thousands(rows)} sessions of one participant loaded`);
  const { gateway, billing } = bench.pids();
  const files: Record<string, File[]> = { ours: [], ...Object.fromEntries(Object.keys(copies).map((name) => [name, []])) };
  await download(bench);
  await copy(bench, copies['COPY, its own CSV']);
  const before = memoryOf({ gateway, billing });
  const most = { ...before };
  for (let round = 1; round <= rounds; round += 1) {
    for (const [name, sql] of Object.entries(copies)) files[name].push(await measure(bench, () => copy(bench, sql)));
    const sampling = setInterval(() => {
      for (const [name, bytes] of Object.entries(memoryOf({ gateway, billing }))) most[name] = Math.max(most[name], bytes);
    }, SAMPLE_MS);
    files.ours.push(await measure(bench, () => download(bench)).finally(() => clearInterval(sampling)));
    const short = Object.entries(files).find(([, all]) => all[round - 1].units < rows);
    if (short) throw new Error(`${short[0]} gave ${short[1][round - 1].units} rows of ${rows}`);
    say(`CSV, round ${round} of ${rounds}`);
  }
  const sides = { ours: files['ours'], bare: files['COPY, its own CSV'] };
  return { print: () => print(files, difference(before, most), before), results: [toResult(PATHS.csv, sides)] };
}

async function measure(bench: BenchStack, get: () => Promise<Omit<File, 'cpu'>>): Promise<File> {
  const before = cpuOf(bench.pids());
  const file = await get();
  return { ...file, cpu: difference(before, cpuOf(bench.pids())) };
}

/** Counts rows and bytes of the stream. */
function counter() {
  const started = performance.now();
  const counts = { units: 0, bytes: 0, first: 0 };
  return {
    take(chunk: Buffer) {
      counts.first ||= (performance.now() - started) / 1000;
      counts.bytes += chunk.length;
      for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, at + 1)) counts.units += 1;
    },
    end: () => ({ ...counts, seconds: (performance.now() - started) / 1000 }),
  };
}

function download(bench: BenchStack): Promise<Omit<File, 'cpu'>> {
  const count = counter();
  const body = JSON.stringify({ uid: EXPORTED, startDate: FROM.toISOString(), endDate: TO.toISOString(), export: 'csv' });
  const headers = { 'VF-ORG-ID': ORGANIZATION, 'content-type': 'application/json', 'content-length': body.length };
  return new Promise((resolve, reject) => {
    const sent = http.request(
      {
        port: bench.gatewayPort,
        host: '127.0.0.1',
        method: 'POST',
        path: '/v1/participant/sessions',
        headers,
        signal: bench.options.signal,
      },
      (answer) => {
        if (answer.statusCode !== 200) reject(new Error(`the CSV was answered ${answer.statusCode}`));
        answer.on('data', (chunk) => count.take(chunk));
        answer.once('error', reject);
        answer.once('end', () => resolve(count.end()));
      },
    );
    sent.once('error', reject);
    sent.end(body);
  });
}

/** Does what pg-copy-streams does, without a stream: a pg query that receives copyData messages. */
async function copy(bench: BenchStack, text: string): Promise<Omit<File, 'cpu'>> {
  const client = await bench.connect();
  const count = counter();
  try {
    await new Promise((resolve, reject) => {
      const done = () => resolve(undefined);
      const nothing = () => undefined;
      const query = {
        submit: (connection: Connection) => connection.query(text),
        handleCopyData: ({ chunk }: { chunk: Buffer }) => count.take(chunk),
        handleError: reject,
        handleReadyForQuery: done,
        handleCommandComplete: nothing,
        handleCopyInResponse: nothing,
        handleRowDescription: nothing,
        handleDataRow: nothing,
        handlePortalSuspended: nothing,
        handleEmptyQuery: nothing,
      };
      client.query(query);
    });
    return count.end();
  } finally {
    await client.end();
  }
}

function print(files: Record<string, File[]>, growth: Record<string, number>, before: Record<string, number>) {
  const names = ['gateway', 'billing', 'nats', 'postgres'];
  const rows = Object.entries(files).map(([name, all]) => [
    name,
    thousands(rateOf(all)),
    (all[0].bytes / all[0].units).toFixed(0),
    median(all.map((it) => it.first)).toFixed(2),
    ...cells(names, cpuPerUnit(all), 2),
    (rateOf(files.ours) / rateOf(all)).toFixed(2),
  ]);
  printTable(`CSV of ${thousands(files.ours[0].units)} rows (CPU in µs a row; aim: ours at least ${PATHS.csv.target} of COPY)`, [
    ['', 'rows/s', 'bytes/row', 'first byte s', ...names, 'ours / it'],
    ...rows,
  ]);
  const mb = (bytes: number) => (bytes / 1e6).toFixed(0);
  const text = Object.entries(growth)
    .map(([name, bytes]) => `${name} ${mb(before[name])} + ${mb(bytes)} MB`)
    .join(', ');
  console.log(`  resident at rest + most during it: ${text} (aim: less than + ${mb(TARGET_BYTES)} MB)`);
}
