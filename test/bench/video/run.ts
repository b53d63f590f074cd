// npm run bench -- video [--quick] [--only=job,delivery,upload] [--json=<file>]
// Compares stored video with the bare parts that it consists of, in one run. It asserts no times; a wrong answer is a failure.
import { parseArgs } from 'node:util';
import { findWrk } from '../load/wrk.ts';
import { measureDelivery } from './delivery.ts';
import { measureJob } from './job.ts';
import { publish, type Measurement } from '../results/results.ts';
import { BenchStack } from './stack.ts';
import { measureUpload } from './upload.ts';

const { values: flags } = parseArgs({ options: { quick: { type: 'boolean' }, only: { type: 'string' }, json: { type: 'string' } } });
const WORKS = (flags.only ?? 'job,delivery,upload').split(',');
const PLAN = flags.quick
  ? { job: { seconds: 20, rounds: 1 }, delivery: { seconds: 3, rounds: 1 }, upload: { megabytes: 64, rounds: 2 } }
  : { job: { seconds: 60, rounds: 3 }, delivery: { seconds: 8, rounds: 3 }, upload: { megabytes: 256, rounds: 5 } };

const begun = Date.now();
const say = (line: string) => console.log(`[${((Date.now() - begun) / 1000).toFixed(0).padStart(3)} s] ${line}`);

async function measureAll(bench: BenchStack, done: Measurement[]) {
  const has = (work: string) => WORKS.includes(work);
  if (has('job')) done.push(await measureJob(bench, { ...PLAN.job, say }));
  if (has('delivery')) done.push(await measureDelivery(bench, { ...PLAN.delivery, say }));
  if (has('upload')) done.push(await measureUpload(bench, { ...PLAN.upload, say }));
}

async function main() {
  if (WORKS.includes('delivery')) await findWrk();
  const bench = new BenchStack();
  const stop = () => bench.stop().then(() => process.exit(130));
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => void stop());
  const done: Measurement[] = [];
  try {
    say('starting the stack');
    await bench.start();
    await measureAll(bench, done);
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
