import fs from 'node:fs';
import path from 'node:path';
import { StackError } from '../stack/errors.ts';
import { withLock } from '../stack/lock.ts';
import { placeAtomically, stackCache } from '../stack/paths.ts';
import { ask, run } from '../stack/run.ts';
import PINS from './pins.json' with { type: 'json' };

interface GoProgram {
  name: string;
  version: string;
  module: string;
  package: string;
  /** A variable of the program that the linker sets to the version. */
  versionVariable?: string;
}

/**
 * A program that Go builds into the cache, as a dependency of an empty module: `go install` refuses modules that exclude versions of others.
 * @returns its path
 * @throws {StackError} says what to install
 */
async function obtainByGo({ name, version, module, package: main, versionVariable }: GoProgram, cache: string): Promise<string> {
  const folder = path.join(cache, name, version);
  const file = path.join(folder, name);
  return withLock(path.join(cache, `${name}.lock`), async () => {
    if (fs.existsSync(file)) return file;
    if (!(await ask('go', ['version']))) throw new StackError(`${name} is built by Go: install Go 1.24 or newer.`);
    await placeAtomically(folder, async (staging) => {
      const go = (...args: string[]) =>
        run('go', args, {
          cwd: staging,
          env: { ...process.env, GOFLAGS: '-mod=mod', GOWORK: 'off', CGO_ENABLED: '0' },
          logFile: path.join(cache, 'logs', `${name}-go.log`),
          timeoutMs: 45 * 60_000,
          what: `go ${args[0]}`,
        });
      await go('mod', 'init', 'program');
      await go('get', `${module}@v${version}`);
      const flags = ['-s', '-w', ...(versionVariable ? [`-X ${versionVariable}=v${version}`] : [])];
      await go('build', '-trimpath', '-ldflags', flags.join(' '), '-o', name, main);
    });
    return file;
  });
}

export const obtainCompose = ({ cache = stackCache() } = {}) =>
  obtainByGo({ name: 'docker-compose', versionVariable: `${PINS.compose.module}/internal.Version`, ...PINS.compose }, cache);

export const obtainCaddy = ({ cache = stackCache() } = {}) => obtainByGo({ name: 'caddy', ...PINS.caddy }, cache);
