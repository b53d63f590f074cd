// npm run bench:all -- [--quick] [--json=<file>]
// Runs all benchmarks one after the other. Those that compare a rate with bare parts add their results to the file; the others print theirs.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { parseArgs } from 'node:util';

const { values: flags } = parseArgs({ options: { quick: { type: 'boolean' }, json: { type: 'string' } } });
/** Rounds; the results are medians over them. */
const ROUNDS = '--rounds=5';
const json = flags.json ? [`--json=${path.resolve(flags.json)}`] : [];
const BENCHMARKS: Record<string, string[]> = {
  gateway: [...json, ...(flags.quick ? [] : [ROUNDS])],
  billing: [...json, ...(flags.quick ? [] : [ROUNDS])],
  persistence: [],
  video: [],
  ai: [],
  recording: [],
  limits: [],
};

for (const [name, args] of Object.entries(BENCHMARKS)) {
  console.log(`\n▶ ${name}`);
  const file = path.join(import.meta.dirname, name, 'run.ts');
  const child = spawn(process.execPath, [file, ...args, ...(flags.quick ? ['--quick'] : [])], { stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  if (code !== 0) {
    console.error(`The benchmark ${name} failed.`);
    process.exitCode = 1;
  }
}
