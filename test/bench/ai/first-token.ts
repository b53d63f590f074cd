import { percentile, printTable } from '../billing/print.ts';
import type { BenchStack } from './stack.ts';

const SHARES = [0.5, 0.9, 0.99];
/** As fast as a quick model. */
const PLAN = { tokens: 3, firstMs: 50, everyMs: 5 };

/** Measures the time to the first word through the service and directly from the provider, one request at a time, in alternating order. */
export async function measureFirstToken(bench: BenchStack, { rounds, say }: { rounds: number; say: (line: string) => void }) {
  await bench.setPlan(PLAN);
  for (let round = 0; round < 50; round++) await Promise.all([bench.ours(), bench.direct()]);
  const times: { ours: number[]; direct: number[] } = { ours: [], direct: [] };
  for (let round = 0; round < rounds; round++) {
    for (const side of round % 2 ? (['ours', 'direct'] as const) : (['direct', 'ours'] as const))
      times[side].push((await bench[side]()).firstMs);
  }
  const added = times.ours.map((ms, round) => ms - times.direct[round]);
  say(`first word: ${percentile(times.ours, 0.5).toFixed(1)} ms, of the provider itself ${percentile(times.direct, 0.5).toFixed(1)} ms`);
  const row = (name: string, values: number[]) => [name, ...SHARES.map((share) => percentile(values, share).toFixed(1))];
  return () =>
    printTable(`Time to the first word, ms, ${rounds} answers of a provider that takes ${PLAN.firstMs} ms`, [
      ['', 'p50', 'p90', 'p99'],
      row('through the service', times.ours),
      row('the provider itself', times.direct),
      row('added, by pairs', added),
      ['ratio', ...SHARES.map((share) => (percentile(times.ours, share) / percentile(times.direct, share)).toFixed(2))],
    ]);
}
