import fs from 'node:fs';
import path from 'node:path';
import { StackError, placeAtomically, stackCache, isWithin, parseVersion } from '../stack/context.ts';
import { withLock } from '../stack/pidfile.ts';
import { ask, run } from '../stack/run.ts';
import PINS from './pins.json' with { type: 'json' };

export interface ObtainOptions {
  cache?: string;
  env?: NodeJS.ProcessEnv;
}

/** @param env in which to run it @returns whether this helm runs and has a supported version */
async function isUsableHelm(file: string, env: NodeJS.ProcessEnv) {
  const version = parseVersion((await ask(file, ['version', '--short'], { env })) ?? '');
  return version !== undefined && isWithin(version.join('.'), PINS.helm);
}

/** A program that Go builds from a module into the cache, once for all clones. */
interface GoProgram {
  name: string;
  version: string;
  /** Module, command and version, as `go install` takes them. */
  go: string;
  flags?: string[];
  env?: NodeJS.ProcessEnv;
  isUsable: (file: string) => Promise<boolean>;
}

async function obtainByGo(
  { name, version, go, flags = [], env: own = {}, isUsable }: GoProgram,
  { cache = stackCache(), env = process.env }: ObtainOptions,
) {
  const folder = path.join(cache, name, version);
  const file = path.join(folder, name);
  return withLock(path.join(cache, `${name}.lock`), async () => {
    if (await isUsable(file)) return file;
    if (!(await ask('go', ['version'], { env })))
      throw new StackError(`${name} ${version} is not installed and there is no Go to build it: install one of them.`);
    await placeAtomically(folder, (staging) =>
      run('go', ['install', ...flags, go], {
        env: { ...env, GOBIN: staging, GOFLAGS: '', GOWORK: 'off', ...own },
        cwd: staging,
        logFile: path.join(cache, 'logs', `${name}-go.log`),
        what: `go install ${go}`,
      }),
    );
    if (!(await isUsable(file))) throw new StackError(`${name} was built into ${folder} and does not run.`);
    return file;
  });
}

/**
 * Helm from the PATH or the cache, else built by Go into the cache.
 * @returns its path
 * @throws {StackError} says what to install
 */
export async function obtainHelm(where: ObtainOptions = {}): Promise<string> {
  const { env = process.env } = where;
  if (await isUsableHelm('helm', env)) return 'helm';
  const { version, go } = PINS.helm;
  // A build from a module does not know its version unless the linker sets it.
  const flags = ['-ldflags', `-X helm.sh/helm/v4/internal/version.version=v${version}`];
  const isUsable = (file: string) => isUsableHelm(file, env);
  return obtainByGo({ name: 'helm', version, go, flags, env: { CGO_ENABLED: '0' }, isUsable }, where);
}

/**
 * The Kubernetes schemas and their validator, as Python packages in a folder of the cache. Nothing is installed system-wide.
 * @throws {StackError} says what to install
 */
export async function obtainValidator({ cache = stackCache(), env = process.env }: ObtainOptions = {}): Promise<{
  python: string;
  folder: string;
}> {
  const python = 'python3';
  const version = parseVersion((await ask(python, ['--version'], { env })) ?? '');
  if (!version) throw new StackError('Python is not installed and the manifests are checked by it: install python3 and pip.');
  const { pypi, version: pin } = PINS.kubernetesValidate;
  // Some of these packages are compiled for one version of Python.
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
