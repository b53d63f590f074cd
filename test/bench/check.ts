// npm run bench -- check [--long | --record]
// Quick rounds of some benchmarks must reach 0.7 of the committed ratios by processor time a unit; rates would fail on a busy machine. The
// committed ratios are those of quick rounds, too: short rounds measure code that V8 has not optimized yet. The short form has paths of the
// gateway, the long form also one of billing. `npm run test:all` runs it as the step `bench`.
// --record measures more rounds and writes the file that is committed; `npm run bench -- all` does this at its end.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { compare, failureOf } from './results/compare.ts';
import { QUICK_RESULTS } from './results/page.ts';
import { PATHS, type Path } from './results/paths.ts';
import { readReport } from './results/results.ts';

const { values: flags } = parseArgs({ options: { long: { type: 'boolean' }, record: { type: 'boolean' } } });
const isLong = flags.long || process.env.TEST_FORM === 'long';

interface Check {
  benchmark: string;
  args: string[];
  paths: Path[];
}

/**
 * Paths whose ratio by processor time hardly changes with other load. Quick runs of the same code at load averages of 7 to 23 on two cores:
 * join 0.63 to 0.72 (three runs), create 0.27 to 0.33 (three), fold 0.19 (both). Others vary more than a check allows: status 0.48 to 0.99
 * (three), charges 0.36 to 0.47 of a large organization and 1.5 to 2.2 of small ones (two). One creation at a time makes too few rooms.
 */
const SHORT: Check = { benchmark: 'gateway', args: ['--only=join,create', '--seconds=2'], paths: [PATHS.join, PATHS.createTogether] };
const LONG: Check = { benchmark: 'billing', args: ['--only=fold'], paths: [PATHS.fold] };
/** The results are medians over them. The same code gave ratios of join from 0.56 to 0.72 in three rounds: a ratio below the limit counts only if nine rounds give one, too. */
const ROUNDS = 3;
const RECORDED_ROUNDS = 9;

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'classroom-bench-check-'));
const file = path.join(folder, 'results.json');

/** @throws {Error} with the output of a benchmark that failed */
function run({ benchmark, args }: Check, rounds: number): void {
  const program = path.join(import.meta.dirname, benchmark, 'run.ts');
  const options = [program, '--quick', `--rounds=${rounds}`, `--json=${file}`, ...args];
  const { status, stdout, stderr } = spawnSync(process.execPath, options, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`the benchmark of ${benchmark} failed:\n${stdout}${stderr}`);
}

function record(): void {
  for (const one of [SHORT, LONG]) run(one, RECORDED_ROUNDS);
  fs.copyFileSync(file, QUICK_RESULTS);
}

function check(): void {
  const committed = readReport(QUICK_RESULTS)?.results;
  if (!committed) throw new Error('There is no test/bench/quick-results.json to compare with: npm run bench -- check --record writes it.');
  for (const one of isLong ? [SHORT, LONG] : [SHORT]) {
    const measure = (rounds: number) => {
      run(one, rounds);
      const measured = readReport(file)?.results ?? [];
      return one.paths.map(({ path: name }) => ({ name, comparison: compare(name, committed, measured) }));
    };
    const first = measure(ROUNDS);
    const found = first.every(({ comparison }) => comparison.isMet) ? first : measure(RECORDED_ROUNDS);
    for (const { name, comparison } of found) {
      if (!comparison.isMet) process.exitCode = 1;
      const ratios = `CPU ratio ${comparison.measured.toFixed(2)}, committed ${comparison.committed.toFixed(2)}`;
      console.log(comparison.isMet ? `✓ ${name}: ${ratios}` : `✗ ${failureOf(comparison)}`);
    }
  }
}

try {
  if (flags.record) record();
  else check();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  fs.rmSync(folder, { recursive: true, force: true });
}
