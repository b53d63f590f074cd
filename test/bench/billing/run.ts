// npm run bench -- billing [--quick] [--only=fold,charges,reports,csv] [--rounds=N] [--profile=<folder>] [--json=<file>]
// Compares billing with the bare parts that it consists of, in one run. It asserts no times; a wrong answer or a missing row is a failure.
import { parseArgs } from 'node:util';
import { measureCharges } from './charges.ts';
import { measureCsv } from './csv.ts';
import { measureFold } from './fold.ts';
import { ORGANIZATION } from './history.ts';
import { publish, type Measurement } from '../results/results.ts';
import { measureReports } from './reports.ts';
import { BenchStack } from './stack.ts';

const { values: flags } = parseArgs({
  options: {
    quick: { type: 'boolean' },
    only: { type: 'string' },
    profile: { type: 'string' },
    json: { type: 'string' },
    rounds: { type: 'string' },
  },
});
const WORKS = (flags.only ?? 'fold,charges,reports,csv').split(',');
const MILLION = 1_000_000;
const SIZES = [10_000, MILLION, 10 * MILLION];
const rounds = (usual: number) => Number(flags.rounds ?? usual);
const PLAN = flags.quick
  ? {
      fold: { rooms: 40, people: 10, rounds: rounds(1) },
      charges: { large: 10_000, small: 4, rounds: rounds(1) },
      sizes: SIZES.slice(0, 2),
      reports: { rounds: 3, requests: 60 },
      csv: { rows: 300_000, rounds: rounds(1) },
    }
  : {
      fold: { rooms: 40, people: 25, rounds: rounds(3) },
      charges: { large: 30_000, small: 4, rounds: rounds(3) },
      sizes: SIZES,
      reports: { rounds: 5, requests: 100 },
      csv: { rows: MILLION, rounds: rounds(1) },
    };

const begun = Date.now();
const say = (line: string) => console.log(`[${((Date.now() - begun) / 1000).toFixed(0).padStart(3)} s] ${line}`);

async function run(bench: BenchStack) {
  say('starting the stack');
  await bench.start();
  const done: Measurement[] = [];
  try {
    await measureAll(bench, done);
  } finally {
    // Prints the results that were measured before a failure, too.
    await publish(done, flags.json);
  }
}

async function measureAll(bench: BenchStack, done: Measurement[]) {
  const has = (work: string) => WORKS.includes(work);
  if (has('fold')) done.push(await measureFold(bench, { ...PLAN.fold, say }));
  if (has('charges')) done.push(await measureCharges(bench, { ...PLAN.charges, say }));
  if (has('reports') || has('csv')) {
    const [organizationId] = await bench.makeOrganizations([ORGANIZATION]);
    // The CSV file alone needs no large history of others.
    const sizes = has('reports') ? PLAN.sizes : SIZES.slice(0, 1);
    const sizeOfCsv = has('reports') ? MILLION : sizes[0];
    const between = async (size: number) => {
      if (has('csv') && size === sizeOfCsv) done.push(await measureCsv(bench, { organizationId, ...PLAN.csv, say }));
    };
    const plan = has('reports') ? PLAN.reports : { rounds: 0, requests: 0 };
    const print = await measureReports(bench, { organizationId, sizes, ...plan, say, between });
    done.push({ print, results: [] });
  }
}

async function main() {
  const abort = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => abort.abort(new Error(`interrupted by ${name}`)));
  const bench = new BenchStack({ signal: abort.signal, profile: flags.profile });
  try {
    await run(bench);
  } catch (error) {
    const why = abort.signal.aborted ? abort.signal.reason : error;
    console.error(`The benchmark failed: ${why instanceof Error ? why.message : why}`);
    process.exitCode = 1;
  } finally {
    await bench.stop();
    say('ended');
  }
}

void main();
