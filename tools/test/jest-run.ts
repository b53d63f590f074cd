import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { REPO } from '../stack/context.ts';
import { killGroup } from '../stack/pidfile.ts';
import { nodeBinary, toolEnvironment } from '../stack/toolchain.ts';
import { type Count, countJest, failuresOf, type JestResult, ringsOf, totalOfParts } from './count.ts';
import { groupsOf, testFiles } from './lanes.ts';

/** Process ids of running commands, which an interrupt kills. */
export const running = new Set<number>();

/** A command that takes longer counts as hanging, in milliseconds. */
const TIMEOUT_MS = 75 * 60_000;
/**
 * How long jest may still run after it has written its result, in milliseconds: a test that leaves a handle open would keep it running indefinitely.
 */
const EXIT_TIMEOUT_MS = 10_000;

/** The variable by which tests and steps know the form that runs. */
export const formEnvironment = (isLong: boolean): Record<string, string> => (isLong ? { TEST_FORM: 'long' } : {});

type ExitCode = number | null | 'lingered';

interface RunOptions {
  env?: Record<string, string>;
  /** Receives stdout and stderr; the command then gets the terminal as descriptor 3. Default: both are passed through. */
  outputFile?: string;
  /** Polled every half second. If the command still runs EXIT_TIMEOUT_MS after it first returned true, it is killed. */
  isOver?: () => boolean;
}

/** @returns the exit code; null if the command could not start or hung */
export function runCommand(
  file: string,
  args: string[],
  { env = {}, outputFile, isOver = () => false }: RunOptions = {},
): Promise<ExitCode> {
  // With another NODE_ENV, rtc-node writes a debug line for each participant.
  const environment: NodeJS.ProcessEnv = { ...toolEnvironment(), CI: process.env.CI, NODE_ENV: 'production', ...env };
  if (environment.CI === undefined) delete environment.CI;
  const output = outputFile === undefined ? 'inherit' : fs.openSync(outputFile, 'a');
  return new Promise((resolve) => {
    const child = spawn(file, args, { cwd: REPO, env: environment, stdio: ['ignore', output, output, 1], detached: true });
    if (typeof output === 'number') fs.closeSync(output);
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
      if (overSince > 0 && Date.now() - overSince > EXIT_TIMEOUT_MS) done('lingered');
      if (Date.now() - began > TIMEOUT_MS) done(null);
    }, 500);
    child.once('error', (error) => {
      process.stderr.write(`${file}: ${error.message}\n`);
      done(null);
    });
    child.once('exit', (code) => done(code));
  });
}

export interface JestOptions {
  projects: string[];
  /** Test files that run in parallel. */
  workers: number;
  /** The long form of tests that have one. */
  isLong: boolean;
  more: string[];
}

/**
 * Runs jest projects in as many lanes as there are workers. Each lane takes the next group of files and runs them one after another, so that
 * files that work in real time never run next to each other, and no lane waits for another for long. Files that the caller selects run in
 * one lane.
 */
export async function runRings(options: JestOptions): Promise<Count> {
  if (options.more.length > 0 || !options.projects.includes('system')) return runJest(options);
  const waiting = groupsOf(testFiles());
  const counts: Count[] = [];
  const lane = async () => {
    for (let group = waiting.shift(); group !== undefined; group = waiting.shift()) {
      counts.push(await runJest({ ...options, workers: 1, more: ['--runTestsByPath', ...group] }, true));
    }
  };
  await Promise.all(Array.from({ length: options.workers }, lane));
  return totalOfParts(counts);
}

/** Runs jest projects. The lines of the report are printed, all other output goes to a file that is named if a test fails. */
async function runJest({ projects, workers, isLong, more }: JestOptions, mayBeEmpty = false): Promise<Count> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'classroom-test-'));
  const resultFile = path.join(folder, 'result.json');
  const outputFile = path.join(folder, 'output.log');
  const code = await runCommand(
    nodeBinary(),
    [
      '--experimental-vm-modules',
      path.join(REPO, 'node_modules', 'jest', 'bin', 'jest.js'),
      '--selectProjects',
      ...projects,
      `--maxWorkers=${workers}`,
      `--reporters=${path.join(REPO, 'tools', 'test', 'reporter.ts')}`,
      // Next to TMPDIR, not in it, so that the next run finds it.
      `--cacheDirectory=${path.join(os.tmpdir(), 'classroom-jest')}`,
      '--json',
      `--outputFile=${resultFile}`,
      ...more,
      ...(mayBeEmpty ? ['--passWithNoTests'] : []),
    ],
    {
      env: {
        TEST_RUN_FOLDER: folder,
        TEST_REPORT_FD: '3',
        TMPDIR: process.env.TEST_FOLDER ?? os.tmpdir(),
        ...formEnvironment(isLong),
      },
      outputFile,
      isOver: () => fs.existsSync(resultFile),
    },
  );
  const result = readResult(resultFile);
  const shortName = (file: string) => path.relative(REPO, file);
  const count: Count = {
    ...countRun(result, code, mayBeEmpty),
    failures: failuresOf(result, shortName),
    rings: ringsOf(result, shortName),
  };
  if (count.failed === 0) fs.rmSync(folder, { recursive: true, force: true });
  else process.stdout.write(`  All output of this run: ${outputFile}\n`);
  return count;
}

function countRun(result: JestResult | undefined, code: ExitCode, mayBeEmpty: boolean): Count {
  if (code !== 'lingered') return countJest(result, code, mayBeEmpty);
  const count = countJest(result, result?.success ? 0 : 1);
  return { ...count, note: [count.note, 'jest did not end by itself: a test left something open'].filter(Boolean).join('; ') };
}

function readResult(file: string): JestResult | undefined {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8')) as JestResult;
  } catch {
    return undefined;
  }
}
