import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { compile, type Swc } from '../compile.ts';
import { REPO } from '../stack/context.ts';
import { nodeBinary, toolEnvironment } from '../stack/toolchain.ts';
import { withTemplate } from '../test/test-folder.ts';
import { applyTo, choose, type Mutant, mutantsOf } from './mutants.ts';

/** The services whose rules are worth it. Each gives as many mutants. */
const APPS = ['room', 'billing', 'recording', 'gateway'];
const PER_APP = 15;
/** A mutant whose tests take longer, for example in an endless loop, counts as killed. Milliseconds. */
const MOST_MS = 10 * 60_000;
/** So many integration tests run before the others. */
const LIKELY = 2;

function sourceFiles(folder: string): string[] {
  return fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'schema' ? [] : sourceFiles(file);
    return /(?<!\.spec|\.module|main|migrate|config)\.ts$/.test(entry.name) ? [file] : [];
  });
}

/** @param tests arguments for jest @returns whether all of them passed */
function passes(project: string, tests: string[]): Promise<boolean> {
  const jest = path.join(REPO, 'node_modules', 'jest', 'bin', 'jest.js');
  const args = ['--experimental-vm-modules', jest, '--selectProjects', project, '--bail', '--maxWorkers=2', ...tests];
  return new Promise((resolve) => {
    const env = { ...toolEnvironment(), NODE_ENV: 'production' };
    const child = spawn(nodeBinary(), args, { cwd: REPO, env, stdio: 'ignore' });
    const timer = setTimeout(() => child.kill('SIGKILL'), MOST_MS);
    child.once('exit', (code) => {
      clearTimeout(timer);
      resolve(code === 0);
    });
  });
}

const wordsOf = (file: string) =>
  new Set(
    path
      .basename(file)
      .split('.')[0]
      ?.split('-')
      .concat(path.basename(path.dirname(file))),
  );

/** @returns the app's integration tests; those that share most words with the path of the changed file come first, because they probably fail */
function integrationTests(mutant: Mutant, folder: string): [likely: string[], others: string[]] {
  const home = path.join(REPO, folder, 'test');
  const words = wordsOf(mutant.file);
  const common = (file: string) => [...wordsOf(file)].filter((word) => words.has(word)).length;
  const files = fs.readdirSync(home).filter((file) => file.endsWith('.it.spec.ts'));
  const sorted = files.toSorted((a, b) => common(b) - common(a)).map((file) => path.join(home, file));
  return [sorted.slice(0, LIKELY), sorted.slice(LIKELY)];
}

/** @returns the ring whose tests failed, or undefined if the mutant survived */
async function killerOf(mutant: Mutant, swc: Swc): Promise<string | undefined> {
  const file = path.join(REPO, mutant.file);
  const original = fs.readFileSync(file, 'utf8');
  const folder = `${mutant.file.split('/').slice(0, 2).join('/')}/`;
  try {
    fs.writeFileSync(file, applyTo(original, mutant));
    compile(swc, file);
    if (!(await passes('unit', ['--testPathPatterns', folder]))) return 'unit';
    for (const files of integrationTests(mutant, folder)) {
      if (files.length > 0 && !(await passes('integration', ['--runTestsByPath', ...files]))) return 'integration';
    }
    return undefined;
  } finally {
    fs.writeFileSync(file, original);
    compile(swc, file);
  }
}

/**
 * Changes one line at a time and runs the unit and integration tests of the service: `npm run mutate [-- <seed> [<app>…]]`. The repository
 * must be built and all tests must pass. Prints one line per mutant, and the survivors at the end.
 */
async function main(seed = '1', ...apps: string[]): Promise<void> {
  const swc = createRequire(path.join(REPO, 'package.json'))('@swc/core') as Swc;
  const survivors: Mutant[] = [];
  let count = 0;
  for (const app of apps.length > 0 ? apps : APPS) {
    const files = sourceFiles(path.join(REPO, 'apps', app, 'src'));
    const all = files.flatMap((file) => mutantsOf(path.relative(REPO, file), fs.readFileSync(file, 'utf8')));
    for (const mutant of choose(all, PER_APP, Number(seed))) {
      const killer = await killerOf(mutant, swc);
      count += 1;
      if (!killer) survivors.push(mutant);
      process.stdout.write(`${killer ? `killed by ${killer}` : 'SURVIVED'}  ${mutant.file}:${mutant.line}  ${mutant.operator}\n`);
    }
  }
  const killed = count - survivors.length;
  process.stdout.write(`\n${killed} of ${count} killed (${((100 * killed) / count).toFixed(0)} %)\n`);
  for (const { file, line, before, after } of survivors) process.stdout.write(`${file}:${line}\n  - ${before}\n  + ${after}\n`);
}

if (import.meta.main) await withTemplate(() => main(...process.argv.slice(2)));
