import { median } from '../load/results.ts';
import type { Series, Measured } from './run.ts';

/** Medians over the rounds. CPU in microseconds per request over all rounds. */
function summarize(rounds: Measured[]) {
  const requests = rounds.reduce((sum, round) => sum + round.requests, 0);
  const cpu = Object.fromEntries(
    Object.keys(rounds[0].cpu).map((name) => [name, rounds.reduce((sum, round) => sum + round.cpu[name], 0) / requests]),
  );
  const of = (read: (round: Measured) => number) => median(rounds.map(read));
  return { rate: of((it) => it.requests / it.seconds), p50: of((it) => it.p50), p99: of((it) => it.p99), cpu };
}

function printTable(rows: (string | number)[][]) {
  const texts = rows.map((row) => row.map(String));
  const widths = texts[0].map((_, column) => Math.max(...texts.map((row) => row[column].length)));
  for (const row of texts)
    console.log(`  ${row.map((cell, column) => (column ? cell.padStart(widths[column]) : cell.padEnd(widths[0]))).join('  ')}`);
}

const ms = (value: number) => value.toFixed(1);
const share = (part: number, whole: number) => `${((100 * part) / whole).toFixed(0)} %`;
const sum = (cpu: Record<string, number>, names: string[]) => names.reduce((total, name) => total + (cpu[name] ?? 0), 0);

export function printRequests(kind: string, connections: number, series: Series) {
  const [ours, bare] = [summarize(series.ours), summarize(series.bare)];
  const names = ['gateway', 'room', 'nats', 'postgres'];
  const row = (side: string, it: ReturnType<typeof summarize>) => [
    side,
    Math.round(it.rate),
    ms(it.p50),
    ms(it.p99),
    ...names.map((name) => it.cpu[name].toFixed(0)),
    sum(it.cpu, ['gateway', 'room']).toFixed(0),
    sum(it.cpu, names).toFixed(0),
  ];
  console.log(`\n${kind}, ${connections} connections (CPU in µs a request)`);
  printTable([['', 'req/s', 'p50 ms', 'p99 ms', ...names, 'gateway + room', 'all'], row('ours', ours), row('bare', bare)]);
  const own = ['gateway', 'room'];
  console.log(
    `  ours / bare rate: ${share(ours.rate, bare.rate)} (aim 70 %); bare / ours CPU: gateway + room ${share(sum(bare.cpu, own), sum(ours.cpu, own))}, all ${share(sum(bare.cpu, names), sum(ours.cpu, names))}`,
  );
}

export function printCreate(connections: number, series: Series) {
  const [ours, bare] = [summarize(series.ours), summarize(series.bare)];
  const names = ['livekit', 'gateway', 'room', 'nats', 'postgres', 'caller'];
  const row = (side: string, it: ReturnType<typeof summarize>) => [
    side,
    Math.round(it.rate),
    ms(it.p50),
    ms(it.p99),
    ...names.map((name) => (it.cpu[name] === undefined ? '-' : it.cpu[name].toFixed(0))),
  ];
  console.log(`\ncreate, ${connections} at a time, next to createRoom of LiveKit's SDK (CPU in µs a request)`);
  printTable([['', 'req/s', 'p50 ms', 'p99 ms', ...names], row('ours', ours), row('bare', bare)]);
  console.log(`  ours / bare rate: ${share(ours.rate, bare.rate)} (aim 80 %)`);
}

export function printMemory(before: Record<string, Record<string, number>>, after: Record<string, Record<string, number>>) {
  const mb = (bytes: number) => Math.round(bytes / 1e6);
  const rows = Object.entries(before).flatMap(([side, processes]) =>
    Object.entries(processes).map(([name, bytes]) => [`${side} ${name}`, mb(bytes), mb(after[side][name])]),
  );
  console.log('\nresident memory (MB)');
  printTable([['', 'before', 'after'], ...rows]);
}
