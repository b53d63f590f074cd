import { APPS } from './apps.ts';
import { freeBytes, REPO, StackError } from './context.ts';
import type { Prepared } from './options.ts';
import { externalParts } from './parts/external.ts';
import { type PartName, PINS } from './parts/install.ts';
import { find, obtain, PART_NAMES } from './parts/obtain.ts';
import { type Obtained, obtainProgram, PROGRAM_NAMES, type ProgramName } from './programs.ts';
import type { Progress } from './progress.ts';
import { build, install, isInstalled } from './toolchain.ts';

const GB = 1024 ** 3;
const PROGRAMS_OF_APPS = PROGRAM_NAMES.filter((name) => APPS.some((app) => app.programs?.includes(name) || app.wants?.includes(name)));

export interface PrepareOptions {
  home: string;
  cache: string;
  progress: Progress;
  signal?: AbortSignal;
  parts?: readonly PartName[];
  /** Programs to look for on this machine; default: those that apps start. */
  programs?: readonly ProgramName[];
  withBuild?: boolean;
}

/**
 * Starts everything that must be on disk before a process can start. Parts are fetched while packages install, because compiling LiveKit
 * takes longest. This function does not wait for anything.
 */
export function prepare(options: PrepareOptions): Prepared {
  const { home, cache, progress, signal, parts = PART_NAMES, withBuild = true, programs = withBuild ? PROGRAMS_OF_APPS : [] } = options;
  const elsewhere = externalParts({}, process.env);
  const space = checkSpace({ home, cache, parts: parts.filter((part) => !elsewhere[part]) });
  const installed = space.then(() =>
    isInstalled() ? undefined : progress.step('packages', async (note) => note(await install({ home, signal }))),
  );
  const built = withBuild ? installed.then(() => progress.step('build', async (note) => note(await build({ home, signal })))) : installed;
  const tools: Prepared['tools'] = {};
  for (const part of parts.filter((name) => !elsewhere[name])) {
    tools[part] = space
      .then(() => find(part, { cache }))
      .then(
        (there) =>
          there ??
          progress.step(`get ${part}`, async (note) => {
            const got = await obtain(part, { cache, signal, home });
            note(`${got.version} (${got.how})`);
            return got;
          }),
      );
  }
  const obtained: Obtained = Object.fromEntries(
    programs.map((name) => [name, space.then(() => obtainProgram(name, { home, cache, progress, signal }))]),
  );
  // A caller that awaits a promise gets its error. The other rejections must not end the process as unhandled.
  for (const promise of [installed, built, ...Object.values(tools), ...Object.values(obtained)]) promise.catch(() => {});
  return { installed, built, tools, programs: obtained };
}

/**
 * Checks for free space first: a build or a database on a full disk fails late, with misleading errors.
 * @throws {StackError}
 */
export async function checkSpace({ home, cache, parts }: { home: string; cache: string; parts: PartName[] }): Promise<void> {
  const missing: PartName[] = [];
  for (const part of parts) if (!(await find(part, { cache }))) missing.push(part);
  const needs = [
    { what: 'data and logs', folder: home, bytes: 0.3 * GB },
    { what: 'packages', folder: REPO, bytes: isInstalled() ? 0.1 * GB : 1.2 * GB },
    // Go's module and build caches are kept next to the result.
    { what: 'parts', folder: cache, bytes: missing.some((part) => 'go' in PINS[part]) ? 4 * GB : 0.2 * GB },
  ];
  for (const { what, folder, bytes } of needs) {
    const free = freeBytes(folder);
    if (free < bytes) {
      throw new StackError(
        `The disk of ${folder} has ${(free / GB).toFixed(1)} GB free and ${what} need ${(bytes / GB).toFixed(1)} GB: make room, or put STACK_HOME and STACK_CACHE on another disk.`,
      );
    }
  }
}
