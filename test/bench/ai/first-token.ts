import { cpuOf, difference } from '../load/processes.ts';
import { PATHS } from '../results/paths.ts';
import { percentile, printTable } from '../results/print.ts';
import { toResult, type Measurement, type Round } from '../results/results.ts';
import type { BenchStack } from './stack.ts';

const SHARES = [0.5, 0.9, 0.99];
/** Answers of one side before the turn of the other: fewer would take too little processor time for the system's clock ticks. */
const BLOCK = 50;
/** As fast as a quick model. */
const PLAN = { tokens: 3, firstMs: 50, everyMs: 5 };

/** Measures the time to the first word through the service and directly from the provider, one request at a time, in alternating blocks. */
export async function measureFirstToken(
  bench: BenchStack,
  { blocks, say }: { blocks: number; say: (line: string) => void },
): Promise<Measurement> {
  await bench.setPlan(PLAN);
  for (let count = 0; count < 50; count++) await Promise.all([bench.ours(), bench.direct()]);
  const times: { ours: number[]; direct: number[] } = { ours: [], direct: [] };
  const pids = { ours: bench.pids(), direct: bench.providerPids() };
  const all: Record<'ours' | 'direct', Round[]> = { ours: [], direct: [] };
  for (let block = 0; block < blocks; block++) {
    for (const side of block % 2 ? (['ours', 'direct'] as const) : (['direct', 'ours'] as const)) {
      const before = cpuOf(pids[side]);
      const firsts: number[] = [];
      while (firsts.length < BLOCK) firsts.push((await bench[side]()).firstMs);
      times[side].push(...firsts);
      const seconds = firsts.reduce((sum, ms) => sum + ms, 0) / 1000;
      all[side].push({ units: BLOCK, seconds, cpu: difference(before, cpuOf(pids[side])) });
    }
  }
  const added = times.ours.map((ms, at) => ms - times.direct[at]);
  say(`first word: ${percentile(times.ours, 0.5).toFixed(1)} ms, of the provider itself ${percentile(times.direct, 0.5).toFixed(1)} ms`);
  const row = (name: string, values: number[]) => [name, ...SHARES.map((share) => percentile(values, share).toFixed(1))];
  const print = () =>
    printTable(`Time to the first word, ms, ${added.length} answers of a provider that takes ${PLAN.firstMs} ms`, [
      ['', 'p50', 'p90', 'p99'],
      row('through the service', times.ours),
      row('the provider itself', times.direct),
      row('added, by pairs', added),
      ['ratio', ...SHARES.map((share) => (percentile(times.ours, share) / percentile(times.direct, share)).toFixed(2))],
    ]);
  return { print, results: [toResult(PATHS.firstToken, { ours: all.ours, bare: all.direct })] };
}
