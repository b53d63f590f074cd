// npm run bench -- ai [--quick] [--only=first-token,streams] [--streams=500] [--over=<ms>] [--json=<file>]
// Compares the agent with the provider that it calls, in one run. It asserts no times; an incomplete answer is a failure.
import { parseArgs } from 'node:util';
import { measureFirstToken } from './first-token.ts';
import { publish, type Measurement } from '../results/results.ts';
import { BenchStack } from './stack.ts';
import { measureStreams } from './streams.ts';

const { values: flags } = parseArgs({
  options: {
    quick: { type: 'boolean' },
    only: { type: 'string' },
    over: { type: 'string' },
    streams: { type: 'string' },
    json: { type: 'string' },
  },
});
const WORKS = (flags.only ?? 'first-token,streams').split(',');
const STREAMS = Number(flags.streams ?? (flags.quick ? 100 : 500));
/** Time over which the starts of the streams are distributed, in milliseconds. */
const SLOWER_THAN_MS = Number(flags.over ?? 0);
const PLAN = flags.quick
  ? { first: { blocks: 2 }, streams: { streams: STREAMS, tokens: 50, everyMs: 50, rounds: 1 } }
  : { first: { blocks: 10 }, streams: { streams: STREAMS, tokens: 50, everyMs: 200, rounds: 5 } };

const begun = Date.now();
const say = (line: string) => console.log(`[${((Date.now() - begun) / 1000).toFixed(0).padStart(3)} s] ${line}`);

async function main() {
  const bench = new BenchStack();
  const stop = () => bench.stop().then(() => process.exit(130));
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => void stop());
  const done: Measurement[] = [];
  try {
    say('starting the stack');
    await bench.start();
    if (WORKS.includes('first-token')) done.push(await measureFirstToken(bench, { ...PLAN.first, say }));
    if (WORKS.includes('streams')) done.push(await measureStreams(bench, { ...PLAN.streams, overMs: SLOWER_THAN_MS, say }));
  } catch (error) {
    console.error(`The benchmark failed: ${error instanceof Error ? error.message : error}`);
    process.exitCode = 1;
  } finally {
    await bench.stop();
    // Prints the results that were measured before a failure, too.
    await publish(done, flags.json);
    say('ended');
  }
}

void main();
