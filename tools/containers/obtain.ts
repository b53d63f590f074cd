import fs from 'node:fs';
import path from 'node:path';
import { StackError, placeAtomically, stackCache } from '../stack/context.ts';
import { withLock } from '../stack/pidfile.ts';
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
 * A program that Go builds into the cache from the files of its own module, with the versions that its authors chose: `go install` refuses modules that
 * exclude versions of others, and as a dependency of another module it would get other versions.
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
      const env = { ...process.env, GOFLAGS: '', GOWORK: 'off', CGO_ENABLED: '0' };
      const logFile = path.join(cache, 'logs', `${name}-go.log`);
      await run('go', ['mod', 'download', `${module}@v${version}`], { cwd: staging, env, logFile, what: `go mod download ${name}` });
      const modules = (await ask('go', ['env', 'GOMODCACHE'], { env })) ?? '';
      const source = path.join(staging, 'source');
      fs.cpSync(path.join(modules, `${module}@v${version}`), source, { recursive: true });
      // Go's own copy cannot be written, and a folder that cannot be written cannot be deleted.
      await run('chmod', ['--recursive', 'u+w', source], { logFile, what: 'chmod' });
      const flags = ['-s', '-w', ...(versionVariable ? [`-X ${versionVariable}=v${version}`] : [])];
      await run('go', ['build', '-trimpath', '-ldflags', flags.join(' '), '-o', path.join(staging, name), main], {
        cwd: source,
        env,
        logFile,
        timeoutMs: 45 * 60_000,
        what: `go build ${name}`,
      });
      fs.rmSync(source, { recursive: true });
    });
    return file;
  });
}

export const obtainCompose = ({ cache = stackCache() } = {}) =>
  obtainByGo({ name: 'docker-compose', versionVariable: `${PINS.compose.module}/internal.Version`, ...PINS.compose }, cache);

export const obtainCaddy = ({ cache = stackCache() } = {}) => obtainByGo({ name: 'caddy', ...PINS.caddy }, cache);
