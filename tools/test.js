'use strict';

if (Number(process.versions.node.split('.')[0]) < 20) {
  process.stderr.write('Node ' + process.versions.node + ' is too old to start with: install Node 20 or newer.\n');
  process.exit(1);
}

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { spawn } = require('node:child_process');
const { REPO, stackCache, stackHome } = require('./stack/paths');
const { killGroup } = require('./stack/pidfile');
const { prepare } = require('./stack/prepare');
const { Progress, seconds } = require('./stack/progress');
const { nodeBinary, toolEnvironment } = require('./stack/toolchain');
const { tell } = require('./stack/commands');
const { watchNpm } = require('./stack/signals');
const { countAgain, countJest, failedFiles, total, lastLine } = require('./test-count');

const bin = (/** @type {string} */ name) => path.join(REPO, 'node_modules', '.bin', name);

/** In this order: the cheap ones first. `needs`: what must have succeeded for the step to mean anything. */
const STEPS = [
  { name: 'lint', command: () => [bin('oxlint'), '--type-aware'], needs: ['installed'] },
  { name: 'types', command: () => [bin('tsc'), '-p', 'tsconfig.json'], needs: ['installed'] },
  { name: 'unit', jest: true, needs: ['installed'] },
  // Brings its own tools, by Go and pip.
  { name: 'deploy', jest: true, workers: 1, needs: ['installed', 'built'] },
  { name: 'integration', jest: true, needs: ['installed', 'built', 'parts'] },
  { name: 'system', jest: true, needs: ['installed', 'built', 'parts'] },
  // Brings Schemathesis, by pip.
  { name: 'reference', jest: true, workers: 1, needs: ['installed', 'built', 'parts'] },
  // One after the other: how quickly something comes back is what they look at.
  { name: 'chaos', jest: true, workers: 1, needs: ['installed', 'built', 'parts'] },
  // Installs and builds the last release beside the present one: run where it is named.
  { name: 'upgrade', jest: true, workers: 1, needs: ['installed', 'built', 'parts'], isByName: true },
  // Clones, installs and builds once more, as a stranger does.
  { name: 'docs', jest: true, workers: 1, needs: ['installed', 'parts'], isByName: true },
];

/** Whatever is running when an interrupt comes. @type {Set<number>} */
const running = new Set();

/** Test files side by side: most of the time they wait. */
const WORKERS = 2;
/** A step that takes longer hangs. */
const MOST_MS = 40 * 60_000;
/** Files that fail beside others are run again, alone, and said to have been; more than these are no accident. */
const MOST_AGAIN = 5;
const TRIES_AGAIN = 2;
/** How long jest may still run once its result is written: a test that leaves a handle open keeps it for ever. */
const LINGER_MS = 10_000;

/**
 * @param {string[]} command its output goes straight through
 * @param {{ isOver?: () => boolean }} [options] asked each half second; when it lingers after that it is ended
 * @returns {Promise<number | null | 'lingered'>} the exit code
 */
function runThrough([file, ...args], { isOver = () => false } = {}) {
  // Otherwise rtc-node writes a line of debugging for each participant.
  const env = { ...toolEnvironment(), CI: process.env.CI, NODE_ENV: 'production' };
  if (env.CI === undefined) delete env.CI;
  return new Promise((resolve) => {
    const child = spawn(file, args, { cwd: REPO, env, stdio: ['ignore', 'inherit', 'inherit'], detached: true });
    if (child.pid) running.add(child.pid);
    const done = (/** @type {number | null | 'lingered'} */ code) => {
      clearInterval(watch);
      if (child.pid) { running.delete(child.pid); killGroup(child.pid); }
      resolve(code);
    };
    const began = Date.now();
    let overSince = 0;
    const watch = setInterval(() => {
      if (overSince === 0 && isOver()) overSince = Date.now();
      if (overSince > 0 && Date.now() - overSince > LINGER_MS) done('lingered');
      if (Date.now() - began > MOST_MS) done(null);
    }, 500);
    child.once('error', (error) => { process.stderr.write(`${file}: ${error.message}\n`); done(null); });
    child.once('exit', (code) => done(code));
  });
}

/**
 * @param {string} project @param {number} workers side by side @param {string[]} more @returns {Promise<import('./test-count').Count>}
 */
async function runRing(project, workers, more) {
  return triedAgain(project, await runJest(project, workers, more), project === 'unit' ? 0 : TRIES_AGAIN);
}

/**
 * A test that needs the whole machine can fail for its neighbours' sake. Its file is tried again, alone: what fails the last
 * time fails, and what failed before is named beside the count.
 * @param {string} project @param {{ count: import('./test-count').Count, result: any }} run @param {number} tries that are left
 * @returns {Promise<import('./test-count').Count>}
 */
async function triedAgain(project, { count, result }, tries) {
  const files = failedFiles(result);
  if (count.failed === 0 || tries === 0 || files.length === 0 || files.length > MOST_AGAIN) return count;
  process.stdout.write(`\n${files.length} of the files failed and ${files.length > 1 ? 'are' : 'is'} run again, alone.\n`);
  const next = await runJest(project, 1, ['--runTestsByPath', ...files]);
  return countAgain(result, await triedAgain(project, next, tries - 1));
}

/**
 * @param {string} project @param {number} workers @param {string[]} more
 * @returns {Promise<{ count: import('./test-count').Count, result: any }>}
 */
async function runJest(project, workers, more) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'classroom-test-'));
  const outputFile = path.join(folder, 'result.json');
  try {
    const code = await runThrough([
      nodeBinary(), '--experimental-vm-modules', path.join(REPO, 'node_modules', 'jest', 'bin', 'jest.js'),
      `--selectProjects=${project}`, `--maxWorkers=${workers}`, '--json', `--outputFile=${outputFile}`, ...more,
    ], { isOver: () => fs.existsSync(outputFile) });
    let result;
    try { result = JSON.parse(fs.readFileSync(outputFile, 'utf8')); } catch { /* none was written: counted as failed */ }
    if (code !== 'lingered') return { result, count: countJest(result, code) };
    const count = countJest(result, result?.success ? 0 : 1);
    return { result, count: { ...count, note: [count.note, 'jest did not end by itself: a test left something open'].filter(Boolean).join('; ') } };
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Packages, parts, build, browser and encoder, each told as far as it came.
 * @param {Progress} progress @param {boolean} needsParts @param {string[]} programs
 * @returns {Promise<Record<string, boolean>>}
 */
async function getReady(progress, needsParts, programs) {
  const home = stackHome();
  fs.mkdirSync(home, { recursive: true });
  const under = prepare({ home, cache: stackCache(), progress, programs, ...(needsParts ? {} : { parts: [] }) });
  const { installed, built, tools } = under;
  /** @type {Set<unknown>} */
  const told = new Set();
  const isDone = (/** @type {Promise<unknown>} */ promise) => promise.then(() => true, (error) => {
    // A failed install fails the build with the very same error.
    if (!told.has(error)) tell(error);
    told.add(error);
    return false;
  });
  const parts = Promise.all(Object.values(tools).map(isDone));
  // Tests that use one fail by themselves where it can't be had; the others need none.
  for (const program of Object.values(under.programs)) await isDone(program.then((found) => Object.assign(process.env, found)));
  return { installed: await isDone(installed), built: await isDone(built), parts: (await parts).every(Boolean) };
}

/** @param {string[]} args step names, then after `--` what jest gets */
async function main(args) {
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
  const ready = await getReady(progress, steps.some((step) => step.needs.includes('parts')), steps.some((step) => step.jest && step.needs.includes('parts')) ? ['chromium', 'ffmpeg', 'espeak-ng', 'pocketsphinx'] : []);
  /** @type {import('./test-count').Count[]} */
  const counts = [];
  // Nothing else tells of a build that failed when only lint was asked for.
  if (!ready.built && !steps.some((step) => step.needs.includes('built'))) counts.push({ passed: 0, failed: 1 });
  for (const step of steps) {
    const began = Date.now();
    const missing = step.needs.find((need) => !ready[need]);
    progress.line(`\n▶ ${step.name}`);
    /** @type {import('./test-count').Count} */
    let count;
    if (missing) count = { passed: 0, failed: 1, note: `not run: ${missing} failed` };
    else if (step.jest) count = await runRing(step.name, step.workers ?? WORKERS, more);
    else count = (await runThrough(step.command?.() ?? [])) === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
    counts.push(count);
    progress.line(`${count.failed ? '✗' : '✓'} ${step.name}: ${lastLine(count)}${count.note ? ` (${count.note})` : ''} in ${seconds(Date.now() - began)}`);
  }
  const sum = total(counts);
  process.stdout.write(`\n${lastLine(sum)}\n`, () => process.exit(sum.failed === 0 ? 0 : 1));
}

if (require.main === module) {
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(signal, () => {
      for (const pid of running) killGroup(pid);
      process.exit(130);
    });
  }
  watchNpm(() => process.kill(process.pid, 'SIGTERM'));
  main(process.argv.slice(2)).catch((error) => {
    tell(error);
    process.stdout.write(`\n${lastLine({ passed: 0, failed: 1 })}\n`, () => process.exit(1));
  });
}
