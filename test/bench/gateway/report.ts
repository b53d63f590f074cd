import { cells, printTable } from '../results/print.ts';
import { cpuRatio, median, totalCpu, type Cpu, type Result } from '../results/results.ts';
import type { Series, Measured } from './run.ts';

const share = (ratio: number) => `${(100 * ratio).toFixed(0)} %`;

/** Medians over the rounds. CPU in microseconds per request. */
export function printSeries(
  title: string,
  { ours, bare, floor, ratio, floorRatio, target, floorTarget, cpuPerOp, ...result }: Result,
  series: Series,
) {
  const names = [...new Set(Object.values(cpuPerOp).flatMap((cpu) => Object.keys(cpu)))];
  const row = (side: string, rate: number, rounds: Measured[], cpu: Cpu) => [
    side,
    Math.round(rate),
    ...(['p50', 'p99'] as const).map((name) => median(rounds.map((round) => round[name])).toFixed(1)),
    ...cells(names, cpu),
    totalCpu(cpu).toFixed(0),
  ];
  printTable(`${result.path}, ${title} (CPU in µs each)`, [
    ['', `${result.unit}/s`, 'p50 ms', 'p99 ms', ...names, 'all'],
    row('ours', ours, series.ours, cpuPerOp.ours),
    row('bare', bare, series.bare, cpuPerOp.bare),
    ...(floor && series.floor && cpuPerOp.floor ? [row('floor', floor, series.floor, cpuPerOp.floor)] : []),
  ]);
  console.log(`  ours / bare rate: ${share(ratio)} (aim ${share(target ?? NaN)}); bare / ours CPU: ${share(cpuRatio({ cpuPerOp }))}`);
  if (floorRatio !== null) console.log(`  ours / floor rate: ${share(floorRatio)} (aim ${share(floorTarget ?? NaN)})`);
}

export function printMemory(before: Record<string, Record<string, number>>, after: Record<string, Record<string, number>>) {
  const mb = (bytes: number) => Math.round(bytes / 1e6);
  const rows = Object.entries(before).flatMap(([side, processes]) =>
    Object.entries(processes).map(([name, bytes]) => [`${side} ${name}`, mb(bytes), mb(after[side][name])]),
  );
  printTable('resident memory (MB)', [['', 'before', 'after'], ...rows]);
}
