'use strict';

const path = require('node:path');
const { freeBytes } = require('./disk');
const { StackError } = require('./errors');
const { REPO } = require('./paths');
const { install, build, isInstalled, checkNode } = require('./toolchain');
const { externalParts, obtain, PART_NAMES } = require('./parts');
const { find } = require('./parts/obtain');
const { PINS } = require('./parts/find');
const { APPS } = require('./apps');
const { PROGRAMS, obtainProgram } = require('./programs');

const GB = 1024 ** 3;
const PROGRAMS_OF_APPS = Object.keys(PROGRAMS).filter((name) => APPS.some((app) => app.programs?.includes(name) || app.wants?.includes(name)));

/**
 * Everything that has to be on the disk before something can start. The parts are got while the packages install:
 * LiveKit's compiler is the longest of all. Nothing is awaited here; every promise is the caller's.
 * @param {{ home: string, cache: string, progress: import('./progress').Progress, signal?: AbortSignal, parts?: string[], programs?: string[], withBuild?: boolean }} options
 *   `programs`: of the machine, default those that apps start
 * @returns {{ installed: Promise<unknown>, built: Promise<unknown>, tools: Record<string, Promise<any>>, programs: Record<string, Promise<Record<string, string>>> }}
 */
function prepare({ home, cache, progress, signal, parts = PART_NAMES, withBuild = true, programs = withBuild ? PROGRAMS_OF_APPS : [] }) {
  const elsewhere = externalParts({}, process.env);
  const space = checkNode() ?? checkSpace({ home, cache, parts: parts.filter((part) => !elsewhere[part]) });
  const installed = space.then(() => (isInstalled() ? undefined : progress.step('packages', async (note) => note(await install({ home, signal })))));
  const built = withBuild ? installed.then(() => progress.step('build', () => build({ home, signal }))) : installed;
  /** @type {Record<string, Promise<any>>} */
  const tools = {};
  for (const part of parts.filter((name) => !elsewhere[name])) {
    tools[part] = space.then(() => find(part, { cache })).then((there) => there ?? progress.step(`get ${part}`, async (note) => {
      const got = await obtain(part, { cache, signal, home, logDir: path.join(home, 'logs') });
      note(`${got.version} (${got.how})`);
      return got;
    }));
  }
  const obtained = Object.fromEntries(programs.map((name) => [name, space.then(() => obtainProgram(name, { home, cache, progress, signal }))]));
  // Whoever awaits one of them sees its failure; the others must not end the process as unhandled.
  for (const promise of [installed, built, ...Object.values(tools), ...Object.values(obtained)]) promise.catch(() => {});
  return { installed, built, tools, programs: obtained };
}

/**
 * A build or a database on a full disk fails late and in riddles.
 * @param {{ home: string, cache: string, parts: string[] }} where
 * @throws {StackError}
 */
async function checkSpace({ home, cache, parts }) {
  const missing = [];
  for (const part of parts) if (!(await find(part, { cache }))) missing.push(part);
  const needs = [
    { what: 'data and logs', folder: home, bytes: 0.3 * GB },
    { what: 'packages', folder: REPO, bytes: isInstalled() ? 0.1 * GB : 1.2 * GB },
    // Go's module and build caches stand beside the result.
    { what: 'parts', folder: cache, bytes: missing.some((part) => PINS[part].go) ? 4 * GB : 0.2 * GB },
  ];
  for (const { what, folder, bytes } of needs) {
    const free = freeBytes(folder);
    if (free < bytes) {
      throw new StackError(`The disk of ${folder} has ${(free / GB).toFixed(1)} GB free and ${what} need ${(bytes / GB).toFixed(1)} GB: make room, or put STACK_HOME and STACK_CACHE on another disk.`);
    }
  }
}

module.exports = { prepare, checkSpace };
