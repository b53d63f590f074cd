// npm run bench -- all [--quick] [--json <file>]
// Runs all benchmarks one after the other. Those that compare with bare parts write their results to the file. If it is results.json of
// this folder, the page of the docs and quick-results.json are written, too.
import fs from 'node:fs';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { RESULTS, writePage } from './results/page.ts';

const { values: flags } = parseArgs({ options: { quick: { type: 'boolean' }, json: { type: 'string' } } });
const file = flags.json && path.resolve(flags.json);
const json = file ? [`--json=${file}`] : [];
/** Rounds; the results are medians over them. */
const rounds = flags.quick ? [] : ['--rounds=5'];
const BENCHMARKS: Record<string, string[]> = {
  gateway: [...json, ...rounds],
  billing: [...json, ...rounds],
  persistence: json,
  video: json,
  ai: json,
  recording: json,
  // Compares how others are disturbed, not rates.
  limits: [],
};

// No result of an earlier run may remain.
if (file) fs.rmSync(file, { force: true });
for (const [name, args] of Object.entries(BENCHMARKS)) {
  console.log(`\n▶ ${name}`);
  const program = path.join(import.meta.dirname, name, 'run.ts');
  const child = spawn(process.execPath, [program, ...args, ...(flags.quick ? ['--quick'] : [])], { stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  if (code !== 0) {
    console.error(`The benchmark ${name} failed.`);
    process.exitCode = 1;
  }
}
if (file === RESULTS) {
  writePage();
  console.log('\n▶ quick rounds, which npm run bench -- check compares with');
  const check = spawn(process.execPath, [path.join(import.meta.dirname, 'check.ts'), '--record'], { stdio: 'inherit' });
  const [code] = await once(check, 'exit');
  if (code !== 0) process.exitCode = 1;
}
