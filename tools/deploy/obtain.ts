import fs from 'node:fs';
import path from 'node:path';
import { StackError } from '../stack/errors.ts';
import { withLock } from '../stack/lock.ts';
import { placeAtomically, stackCache } from '../stack/paths.ts';
import { ask, run } from '../stack/run.ts';
import { isWithin, parse } from '../stack/version.ts';
import PINS from './pins.json' with { type: 'json' };

export interface Where {
  cache?: string;
  env?: NodeJS.ProcessEnv;
}

/** @param env whether this helm runs and is of a version that is known to do */
async function isUsableHelm(file: string, env: NodeJS.ProcessEnv) {
  const version = parse((await ask(file, ['version', '--short'], { env })) ?? '');
  return version !== undefined && isWithin(version.join('.'), PINS.helm);
}

/**
 * Helm from the PATH or the cache, else built by Go into the cache.
 * @returns its path
 * @throws {StackError} says what to install
 */
export async function obtainHelm({ cache = stackCache(), env = process.env }: Where = {}): Promise<string> {
  if (await isUsableHelm('helm', env)) return 'helm';
  const folder = path.join(cache, 'helm', PINS.helm.version);
  const file = path.join(folder, 'helm');
  return withLock(path.join(cache, 'helm.lock'), async () => {
    if (await isUsableHelm(file, env)) return file;
    if (!(await ask('go', ['version'], { env })))
      throw new StackError('Helm 4 is not installed and there is no Go to build it: install one of them.');
    await placeAtomically(folder, async (staging) => {
      const goEnv = { ...env, GOBIN: staging, CGO_ENABLED: '0', GOFLAGS: '', GOWORK: 'off' };
      // A build from a module knows no more of its version than the linker is told.
      const flags = ['-ldflags', `-X helm.sh/helm/v4/internal/version.version=v${PINS.helm.version}`];
      await run('go', ['install', ...flags, PINS.helm.go], {
        env: goEnv,
        cwd: staging,
        logFile: path.join(cache, 'logs', 'helm-go.log'),
        what: `go install ${PINS.helm.go}`,
      });
    });
    if (!(await isUsableHelm(file, env))) throw new StackError(`Helm was built into ${folder} and does not run.`);
    return file;
  });
}

/**
 * The Kubernetes schemas and what checks against them, as Python packages in a folder of the cache: nothing is installed.
 * @throws {StackError} says what to install
 */
export async function obtainValidator({ cache = stackCache(), env = process.env }: Where = {}): Promise<{
  python: string;
  folder: string;
}> {
  const python = 'python3';
  const version = parse((await ask(python, ['--version'], { env })) ?? '');
  if (!version) throw new StackError('Python is not installed and the manifests are checked by it: install python3 and pip.');
  const { pypi, version: pin } = PINS.kubernetesValidate;
  // Some of its packages are compiled for one version of Python.
  const folder = path.join(cache, 'kubernetes-validate', `${pin}-python${version.slice(0, 2).join('.')}`);
  return withLock(path.join(cache, 'kubernetes-validate.lock'), async () => {
    if (!fs.existsSync(path.join(folder, 'kubernetes_validate'))) {
      await placeAtomically(folder, (staging) =>
        run(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--target', staging, pypi], {
          env,
          cwd: staging,
          logFile: path.join(cache, 'logs', 'kubernetes-validate-pip.log'),
          what: `pip install ${pypi}`,
        }),
      );
    }
    return { python, folder };
  });
}
