import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { spawn } from 'node:child_process';
import { REPO, stackCache, stackHome } from './stack/paths.ts';
import { killGroup } from './stack/pidfile.ts';
import { prepare } from './stack/prepare.ts';
import { PROGRAM_NAMES } from './stack/programs.ts';
import { Progress, seconds } from './stack/progress.ts';
import { nodeBinary, toolEnvironment } from './stack/toolchain.ts';
import { tell } from './stack/commands.ts';
import { watchNpm } from './stack/signals.ts';
import { countAgain, countJest, failedFiles, total, lastLine, type Count, type JestResult } from './test-count.ts';

const bin = (name: string) => path.join(REPO, 'node_modules', '.bin', name);

type Need = 'installed' | 'built' | 'parts';

interface Step {
  name: string;
  /** Preparations that must have succeeded before the step can run. */
  needs: Need[];
  /** Run in this order. Without commands the step runs jest. */
  commands?: [file: string, ...args: string[]][];
  workers?: number;
  /** Runs only if it is named on the command line. */
  isByName?: boolean;
}

/** In the order in which they run: the fast steps first. */
const STEPS: Step[] = [
  {
    name: 'lint',
    commands: [
      [bin('oxfmt'), '--check'],
      [bin('oxlint'), '--type-aware'],
    ],
    needs: ['installed'],
  },
  // Builds Vale with Go, once.
  { name: 'prose', commands: [[process.execPath, path.join(REPO, 'tools', 'prose', 'check.ts')]], needs: ['installed'] },
  // The benchmarks import the built libraries.
  {
    name: 'types',
    commands: ['.', 'tools', 'docs', 'test/bench'].map((project) => [bin('tsc'), '-p', project]),
    needs: ['installed', 'built'],
  },
  { name: 'unit', needs: ['installed'] },
  // Obtains its own tools with Go and pip.
  { name: 'deploy', workers: 1, needs: ['installed', 'built'] },
  { name: 'integration', needs: ['installed', 'built', 'parts'] },
  { name: 'system', needs: ['installed', 'built', 'parts'] },
  // Obtains Schemathesis with pip.
  { name: 'reference', workers: 1, needs: ['installed', 'built', 'parts'] },
  // One file at a time, because these tests measure how quickly something recovers.
  { name: 'chaos', workers: 1, needs: ['installed', 'built', 'parts'] },
  // Installs and builds the last release in addition to this version, so it runs only if named.
  { name: 'upgrade', workers: 1, needs: ['installed', 'built', 'parts'], isByName: true },
  // Clones, installs and builds again, as a new user would, so it runs only if named.
  { name: 'docs', workers: 1, needs: ['installed', 'parts'], isByName: true },
];

/** Process ids of running commands, which an interrupt kills. */
const running = new Set<number>();

/** Test files that run in parallel. Two fit, because most of the time tests wait. */
const WORKERS = 2;
/** A step that takes longer counts as hanging, in milliseconds. */
const MOST_MS = 40 * 60_000;
/** If at most so many files fail, they are run again alone, and the output says so. If more fail, other load on the machine is not the cause. */
const MOST_AGAIN = 5;
const TRIES_AGAIN = 2;
/**
 * How long jest may still run after it has written its result, in milliseconds: a test that leaves a handle open would keep it running indefinitely.
 */
const LINGER_MS = 10_000;

type ExitCode = number | null | 'lingered';

/**
 * Runs a command with its output passed through.
 * @param isOver polled every half second; if the command still runs LINGER_MS after it first returned true, it is killed
 */
function runThrough(file: string, args: string[], isOver = () => false): Promise<ExitCode> {
  // With another NODE_ENV, rtc-node writes a debug line for each participant.
  const env = { ...toolEnvironment(), CI: process.env.CI, NODE_ENV: 'production' };
  if (env.CI === undefined) delete env.CI;
  return new Promise((resolve) => {
    const child = spawn(file, args, { cwd: REPO, env, stdio: ['ignore', 'inherit', 'inherit'], detached: true });
    if (child.pid) running.add(child.pid);
    const done = (code: ExitCode) => {
      clearInterval(watch);
      if (child.pid) {
        running.delete(child.pid);
        killGroup(child.pid);
      }
      resolve(code);
    };
    const began = Date.now();
    let overSince = 0;
    const watch = setInterval(() => {
      if (overSince === 0 && isOver()) overSince = Date.now();
      if (overSince > 0 && Date.now() - overSince > LINGER_MS) done('lingered');
      if (Date.now() - began > MOST_MS) done(null);
    }, 500);
    child.once('error', (error) => {
      process.stderr.write(`${file}: ${error.message}\n`);
      done(null);
    });
    child.once('exit', (code) => done(code));
  });
}

/** @param workers test files that run in parallel */
async function runRing(project: string, workers: number, more: string[]): Promise<Count> {
  return triedAgain(project, await runJest(project, workers, more), project === 'unit' ? 0 : TRIES_AGAIN);
}

/**
 * Runs failed files again, alone: a test that needs the whole machine can fail because of other tests. A test that fails in the last try is
 * a failure; one that failed only before is named next to the count.
 * @param tries that are left
 */
async function triedAgain(project: string, { count, result }: Run, tries: number): Promise<Count> {
  const files = failedFiles(result);
  if (!result || count.failed === 0 || tries === 0 || files.length === 0 || files.length > MOST_AGAIN) return count;
  process.stdout.write(`\n${files.length} of the files failed and ${files.length > 1 ? 'are' : 'is'} run again, alone.\n`);
  const next = await runJest(project, 1, ['--runTestsByPath', ...files]);
  return countAgain(result, await triedAgain(project, next, tries - 1));
}

interface Run {
  count: Count;
  /** Undefined if jest wrote none. */
  result: JestResult | undefined;
}

async function runJest(project: string, workers: number, more: string[]): Promise<Run> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'classroom-test-'));
  const outputFile = path.join(folder, 'result.json');
  try {
    const code = await runThrough(
      nodeBinary(),
      [
        '--experimental-vm-modules',
        path.join(REPO, 'node_modules', 'jest', 'bin', 'jest.js'),
        `--selectProjects=${project}`,
        `--maxWorkers=${workers}`,
        '--json',
        `--outputFile=${outputFile}`,
        ...more,
      ],
      () => fs.existsSync(outputFile),
    );
    let result: JestResult | undefined;
    try {
      result = JSON.parse(fs.readFileSync(outputFile, 'utf8')) as JestResult;
    } catch {
      /* No result was written: counted as failed. */
    }
    if (code !== 'lingered') return { result, count: countJest(result, code) };
    const count = countJest(result, result?.success ? 0 : 1);
    return {
      result,
      count: { ...count, note: [count.note, 'jest did not end by itself: a test left something open'].filter(Boolean).join('; ') },
    };
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** Prepares packages, parts, build, browser and encoder. @returns which of them succeeded */
async function getReady(progress: Progress, needsParts: boolean): Promise<Record<Need, boolean>> {
  const home = stackHome();
  fs.mkdirSync(home, { recursive: true });
  const under = prepare({
    home,
    cache: stackCache(),
    progress,
    ...(needsParts ? { programs: PROGRAM_NAMES } : { programs: [], parts: [] }),
  });
  const { installed, built, tools } = under;
  const told = new Set<unknown>();
  const isDone = (promise: Promise<unknown>) =>
    promise.then(
      () => true,
      (error: unknown) => {
        // If the install failed, the build fails with the same error object: report it once.
        if (!told.has(error)) tell(error);
        told.add(error);
        return false;
      },
    );
  const parts = Promise.all(Object.values(tools).map(isDone));
  // A test that needs a program fails by itself if the program could not be obtained; the other tests don't need it.
  for (const program of Object.values(under.programs)) await isDone(program.then((found) => Object.assign(process.env, found)));
  return { installed: await isDone(installed), built: await isDone(built), parts: (await parts).every(Boolean) };
}

async function runAll(commands: NonNullable<Step['commands']>): Promise<Count> {
  for (const [file, ...args] of commands) if ((await runThrough(file, args)) !== 0) return { passed: 0, failed: 1 };
  return { passed: 1, failed: 0 };
}

/** @param args names of steps, then after `--` the arguments for jest */
async function main(args: string[]): Promise<void> {
  const cut = args.indexOf('--');
  const names = cut < 0 ? args : args.slice(0, cut);
  const more = cut < 0 ? [] : args.slice(cut + 1);
  const unknown = names.find((name) => !STEPS.some((step) => step.name === name));
  if (unknown) {
    process.stderr.write(`There is no step ${unknown}: name some of ${STEPS.map((step) => step.name).join(', ')}, or none for all.\n`);
    process.exit(1);
  }
  const steps = STEPS.filter((step) => (names.length === 0 ? !step.isByName : names.includes(step.name)));
  const progress = new Progress();
  const ready = await getReady(
    progress,
    steps.some((step) => step.needs.includes('parts')),
  );
  const counts: Count[] = [];
  // Otherwise a failed build would be missing from the count if no selected step needs it.
  if (!ready.built && !steps.some((step) => step.needs.includes('built'))) counts.push({ passed: 0, failed: 1 });
  for (const step of steps) {
    const began = Date.now();
    const missing = step.needs.find((need) => !ready[need]);
    progress.line(`\n▶ ${step.name}`);
    let count: Count;
    if (missing) count = { passed: 0, failed: 1, note: `not run: ${missing} failed` };
    else if (step.commands) count = await runAll(step.commands);
    else count = await runRing(step.name, step.workers ?? WORKERS, more);
    counts.push(count);
    progress.line(
      `${count.failed ? '✗' : '✓'} ${step.name}: ${lastLine(count)}${count.note ? ` (${count.note})` : ''} in ${seconds(Date.now() - began)}`,
    );
  }
  const sum = total(counts);
  process.stdout.write(`\n${lastLine(sum)}\n`, () => process.exit(sum.failed === 0 ? 0 : 1));
}

if (import.meta.main) {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      for (const pid of running) killGroup(pid);
      process.exit(130);
    });
  }
  watchNpm(() => process.kill(process.pid, 'SIGTERM'));
  main(process.argv.slice(2)).catch((error: unknown) => {
    tell(error);
    process.stdout.write(`\n${lastLine({ passed: 0, failed: 1 })}\n`, () => process.exit(1));
  });
}
