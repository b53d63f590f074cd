import { setTimeout as sleep } from 'node:timers/promises';
import { cpuOf, difference, memoryOf } from '../load/processes.ts';
import { PATHS } from '../results/paths.ts';
import { cells, percentile, printTable, thousands } from '../results/print.ts';
import { median, toResult, type Measurement, type Round } from '../results/results.ts';
import type { BenchStack } from './stack.ts';

const MIB = 1024 ** 2;
const MEASURED_APPS = ['gateway', 'ai'];

/** Measures many concurrent answers at reading speed, through the service and directly from the provider. */
export async function measureStreams(
  bench: BenchStack,
  {
    streams,
    tokens,
    everyMs,
    overMs,
    rounds,
    say,
  }: { streams: number; tokens: number; everyMs: number; overMs: number; rounds: number; say: (line: string) => void },
): Promise<Measurement> {
  await bench.setPlan({ tokens, firstMs: 100, everyMs });
  const pids = { ours: bench.pids(), direct: bench.providerPids() };
  const words = streams * tokens;
  const round = async (side: 'ours' | 'direct'): Promise<Round & { first: number[] }> => {
    const before = cpuOf(pids[side]);
    const begun = performance.now();
    const heard = await Promise.all(
      Array.from({ length: streams }, async (_, at) => {
        await sleep((at * overMs) / streams);
        return bench[side]();
      }),
    );
    const seconds = (performance.now() - begun) / 1000;
    const missing = heard.filter((it) => it.tokens !== tokens);
    if (missing.length > 0) throw new Error(`${missing.length} of ${streams} answers lack words`);
    const firsts = heard.map(({ firstMs }) => firstMs);
    const first = [0.5, 0.99].map((share) => percentile(firsts, share));
    return { units: words, seconds, first, cpu: difference(before, cpuOf(pids[side])) };
  };
  const rss = async () => {
    await sleep(3_000);
    return Object.fromEntries(Object.entries(memoryOf(pids.ours)).map(([name, bytes]) => [name, bytes / MIB]));
  };
  await round('ours');
  const memory = [await rss()];
  const rounded: Record<'ours' | 'direct', Awaited<ReturnType<typeof round>>[]> = { ours: [], direct: [] };
  for (let count = 1; count <= rounds; count++) {
    for (const side of ['direct', 'ours'] as const) {
      const measured = await round(side);
      rounded[side].push(measured);
      say(
        `${streams} at once, ${side}, round ${count} of ${rounds}: ${measured.seconds.toFixed(1)} s, ${thousands(words / measured.seconds)} words/s`,
      );
    }
    memory.push(await rss());
  }
  const ideal = (overMs + 100 + (tokens - 1) * everyMs) / 1000;
  const result = toResult(PATHS.streams, { ours: rounded.ours, bare: rounded.direct });
  const cpu = result.cpuPerOp.ours;
  const names = Object.keys(cpu);
  const line = (title: string, side: 'ours' | 'direct') => {
    const seconds = median(rounded[side].map((it) => it.seconds));
    const first = [0, 1].map((at) => median(rounded[side].map((it) => it.first[at])).toFixed(0));
    return [title, seconds.toFixed(1), thousands(words / seconds), ...first];
  };
  const print = () => {
    printTable(`${streams} answers begun within ${overMs} ms, of ${tokens} words, one each ${everyMs} ms (${ideal.toFixed(1)} s at best)`, [
      ['', 's', 'words/s', 'first word p50, ms', 'p99'],
      line('through the service', 'ours'),
      line('the provider itself', 'direct'),
    ]);
    printTable('CPU through the service, µs a word', [
      ['', 'µs'],
      ...cells(names, cpu).map((microseconds, at) => [names[at], microseconds]),
      ['gateway and ai', MEASURED_APPS.reduce((sum, name) => sum + cpu[name], 0).toFixed(0)],
    ]);
    printTable('Memory, MiB resident, 3 s after a round', [
      ['', 'warm', ...rounded.ours.map((_, at) => `round ${at + 1}`)],
      ...MEASURED_APPS.map((name) => [name, ...memory.map((it) => it[name].toFixed(0))]),
    ]);
  };
  return { print, results: [result] };
}
