import fs from 'node:fs';
import path from 'node:path';
import { obtainHelm } from './obtain.ts';
import { printError, REPO, stackCache, StackError, stackHome } from './stack/context.ts';
import { killGroup } from './stack/pidfile.ts';
import { prepare } from './stack/prepare.ts';
import { PROGRAM_NAMES, PROGRAMS } from './stack/programs.ts';
import { Progress, seconds } from './stack/progress.ts';
import { watchNpm } from './stack/supervisor.ts';
import { affectedFolders } from './test/affected.ts';
import { compareWithRecord, type Count, type Form, lastLine, raiseRecord, readRecord, total } from './test/count.ts';
import { formEnvironment, runCommand, running, runRings } from './test/jest-run.ts';
import { withTemplate } from './test/test-folder.ts';

const bin = (name: string) => path.join(REPO, 'node_modules', '.bin', name);

type Need = 'installed' | 'built' | 'parts';

interface Step {
  name: string;
  /** Preparations that must have succeeded before the step can run. */
  needs: Need[];
  /** Run in this order. Without commands the step is the jest project of its name. */
  commands?: [file: string, ...args: string[]][];
  /** Part of `npm run test:all` alone. */
  isLong?: true;
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
  // The benchmarks import the built libraries.
  {
    name: 'types',
    commands: ['.', 'tools', 'docs', 'test/bench'].map((project) => [bin('tsc'), '-p', project]),
    needs: ['installed', 'built'],
  },
  { name: 'unit', needs: ['installed'] },
  // Needs the machine for itself, as each step with commands has.
  {
    name: 'bench',
    commands: [[process.execPath, path.join(REPO, 'test', 'bench', 'check.ts')]],
    needs: ['installed', 'built', 'parts'],
    isLong: true,
  },
  // Obtains its own tools with Go and pip.
  { name: 'deploy', needs: ['installed', 'built'] },
  { name: 'integration', needs: ['installed', 'built', 'parts'] },
  { name: 'system', needs: ['installed', 'built', 'parts'] },
  // Obtains Schemathesis with pip.
  { name: 'reference', needs: ['installed', 'built', 'parts'] },
  { name: 'chaos', needs: ['installed', 'built', 'parts'] },
  // Installs and builds the last release. tools/contracts compares all contracts, statements and migrations with it in every run.
  { name: 'upgrade', needs: ['installed', 'built', 'parts'], isLong: true },
  // The long form clones, installs and builds again, as a new user would.
  { name: 'docs', needs: ['installed', 'parts'] },
];

/** Prepares packages, parts, build, browser, encoder and Helm. @returns which of them succeeded */
async function getReady(progress: Progress, steps: Step[], isLong: boolean): Promise<Record<Need, boolean>> {
  const home = stackHome();
  fs.mkdirSync(home, { recursive: true });
  const programs = PROGRAM_NAMES.filter((name) => isLong || !PROGRAMS[name].isForLongForm);
  const needsParts = steps.some((step) => step.needs.includes('parts'));
  const under = prepare({ home, cache: stackCache(), progress, ...(needsParts ? { programs } : { programs: [], parts: [] }) });
  // Go builds it for minutes where it is missing, longer than a test may take next to others.
  const helm = steps.some(({ name }) => name === 'deploy') && progress.step('get helm', () => obtainHelm()).catch(() => undefined);
  // If the install failed, the build fails with the same error object: it is reported once.
  const printed = new Set<unknown>();
  const isDone = (promise: Promise<unknown>) =>
    promise.then(
      () => true,
      (error: unknown) => {
        if (!printed.has(error)) printError(error);
        printed.add(error);
        return false;
      },
    );
  const parts = Promise.all(Object.values(under.tools).map(isDone));
  // A test that needs a program fails by itself if the program could not be obtained; the other tests don't need it.
  for (const program of Object.values(under.programs)) await isDone(program.then((found) => Object.assign(process.env, found)));
  await helm;
  return { installed: await isDone(under.installed), built: await isDone(under.built), parts: (await parts).every(Boolean) };
}

async function runAll(commands: NonNullable<Step['commands']>, isLong: boolean): Promise<Count> {
  const env = formEnvironment(isLong);
  for (const [file, ...args] of commands) if ((await runCommand(file, args, { env })) !== 0) return { passed: 0, failed: 1 };
  return { passed: 1, failed: 0 };
}

/**
 * @param args `--all`, `--affected` (only the unit tests of projects that the current change affects) and names of steps, then after `--` the
 * arguments for jest
 */
function parse(args: string[]) {
  const cut = args.includes('--') ? args.indexOf('--') : args.length;
  const own = args.slice(0, cut);
  const names = own.filter((arg) => !arg.startsWith('--'));
  const isLong = own.includes('--all');
  const unknown = names.find((name) => !STEPS.some((step) => step.name === name));
  if (unknown)
    throw new StackError(`There is no step ${unknown}: name some of ${STEPS.map(({ name }) => name).join(', ')}, or none for all.`);
  const steps = STEPS.filter((step) => (names.length > 0 ? names.includes(step.name) : isLong || !step.isLong));
  return { steps, isLong, isAffected: own.includes('--affected'), more: args.slice(cut + 1) };
}

/** Steps that run in one go: each with commands alone, and adjacent jest projects that need the same effort together, so that no worker waits at the end of each. */
function groups(steps: Step[]): Step[][] {
  const isAlone = (step: Step) => step.commands !== undefined || step.name === 'unit';
  const together = steps.filter((step) => !isAlone(step));
  return [...steps.filter(isAlone).map((step) => [step]), ...(together.length > 0 ? [together] : [])];
}

/**
 * Test files that run in parallel, one in each lane. A file waits for a dozen processes of its own: four at a time are done a fifteenth sooner, but two processors
 * are then busy all the time, and films and calls between services are late. The long form has films of minutes.
 */
const workersOf = (isLong: boolean) => (isLong ? 2 : 3);

/** @returns one text for each ring in which a whole run executed fewer tests than recorded. Raises the record of the others. */
function checkRecord(form: Form, steps: Step[], { rings = {} }: Count, progress: Progress): string[] {
  // A ring that lost all of its files executed no test.
  const none = Object.fromEntries(steps.filter((step) => !step.commands).map(({ name }) => [name, 0]));
  const { fewer, more } = compareWithRecord(readRecord()[form], { ...none, ...rings });
  if (Object.keys(more).length === 0) return fewer;
  const list = Object.entries(more).map(([ring, count]) => `${ring} ${count}`);
  if (process.env.CI)
    progress.line(`\nMore tests ran than test/counts.json records (${list.join(', ')}): npm test raises the record where CI is not set.`);
  else {
    raiseRecord(form, more);
    progress.line(`\nRaised in test/counts.json: ${list.join(', ')}. Commit it with the new tests.`);
  }
  return fewer;
}

async function main(args: string[]): Promise<void> {
  const { steps, isLong, isAffected, more } = parse(args);
  const workers = Number(process.env.TEST_WORKERS ?? workersOf(isLong));
  const progress = new Progress();
  const ready = await getReady(progress, steps, isLong);
  const counts: Count[] = [];
  const failures: string[] = [];
  // Otherwise a failed build would be missing from the count if no selected step needs it.
  if (!ready.built && !steps.some((step) => step.needs.includes('built'))) counts.push({ passed: 0, failed: 1 });
  const folders = isAffected ? affectedFolders() : undefined;
  for (const group of groups(steps)) {
    const began = Date.now();
    const name = group.map((step) => step.name).join(', ');
    const missing = group.flatMap((step) => step.needs).find((need) => !ready[need]);
    progress.line(`\n▶ ${name}`);
    let count: Count;
    if (missing) count = { passed: 0, failed: 1, note: `not run: ${missing} failed` };
    else if (group[0]?.commands) count = await runAll(group[0].commands, isLong);
    else if (folders?.length === 0) count = { passed: 0, failed: 0, note: 'no project is affected' };
    else {
      const only = folders ? ['--testPathPatterns', ...folders.map((folder) => `/${folder}/`)] : [];
      const run = () => runRings({ projects: group.map((step) => step.name), workers, isLong, more: [...only, ...more] });
      count = group.some((step) => step.needs.includes('parts')) ? await withTemplate(run) : await run();
    }
    counts.push(count);
    const line = `${count.failed ? '✗' : '✓'} ${name}: ${lastLine(count)}${count.note ? ` (${count.note})` : ''} in ${seconds(Date.now() - began)}`;
    progress.line(line);
    if (count.failed) failures.push(line);
  }
  const sum = total(counts);
  const isWhole = !isAffected && more.length === 0 && sum.failed === 0;
  for (const text of isWhole ? checkRecord(isLong ? 'all' : 'short', steps, sum, progress) : []) {
    failures.push(`✗ ${text}`);
    sum.failed += 1;
  }
  // Again at the end: what failed first is far above by now.
  for (const text of sum.failures ?? []) progress.line(`\n✗ ${text}`);
  for (const line of failures) progress.line(`\n${line}`);
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
    printError(error);
    process.stdout.write(`\n${lastLine({ passed: 0, failed: 1 })}\n`, () => process.exit(1));
  });
}
