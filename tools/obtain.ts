/** Programs for checks and releases, which no manifest can pin: each is made by the client of its registry, once, in the cache of all clones. */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import PINS from './pins.json' with { type: 'json' };
import { isWithin, parseVersion, placeAtomically, stackCache, StackError } from './stack/context.ts';
import { type InstallTarget, unpackDebian } from './stack/parts/install.ts';
import { withLock } from './stack/pidfile.ts';
import { ask, run } from './stack/run.ts';

/**
 * @param name of the folder in the cache
 * @param fill writes into a new folder, which is kept only if it is complete
 * @returns the folder of this version
 */
async function inCache(name: string, version: string, fill: (into: InstallTarget) => Promise<void>): Promise<string> {
  const cache = stackCache();
  const folder = path.join(cache, name, version);
  await withLock(path.join(cache, `${name}.lock`), async () => {
    const logFile = path.join(cache, 'logs', `${name}.log`);
    if (!fs.existsSync(folder)) await placeAtomically(folder, (staging) => fill({ folder: staging, logFile }));
  });
  return folder;
}

/** @param cwd with a module, or any folder for `go install` */
async function go(args: string[], { logFile, cwd, ...env }: { logFile: string; cwd: string; GOBIN?: string; GOFLAGS?: string }) {
  if (!(await ask('go', ['version']))) throw new StackError('Go is not installed and builds what is missing: install Go 1.24 or newer.');
  const all = { ...process.env, CGO_ENABLED: '0', GOFLAGS: '', GOWORK: 'off', ...env };
  await run('go', args, {
    cwd,
    env: all,
    logFile,
    timeoutMs: 60 * 60_000,
    what: `go ${args.slice(0, 1).concat(args.slice(-1)).join(' ')}`,
  });
}

/** @returns the program that `go install` makes of a command */
async function installedByGo(name: string, { version, module }: { version: string; module: string }, tag = version, ...flags: string[]) {
  const folder = await inCache(name, tag, ({ folder: GOBIN, logFile }) =>
    go(['install', ...flags, `${module}@v${version}`], { cwd: GOBIN, GOBIN, logFile }),
  );
  return path.join(folder, name);
}

/**
 * The program that Go builds from the files of its own module, with the versions that its authors chose: `go install` refuses modules that
 * exclude versions of others, and as a dependency of another module it would get other versions.
 */
async function builtByGo(name: 'caddy' | 'docker-compose', versionVariable = ''): Promise<string> {
  const { version, module, command } = PINS[name];
  const folder = await inCache(name, version, async ({ folder: staging, logFile }) => {
    await go(['mod', 'download', `${module}@v${version}`], { cwd: staging, logFile });
    const source = path.join(staging, 'source');
    fs.cpSync(path.join((await ask('go', ['env', 'GOMODCACHE'])) ?? '', `${module}@v${version}`), source, { recursive: true });
    // Go's own copy cannot be written, and a folder that cannot be written cannot be deleted.
    await run('chmod', ['--recursive', 'u+w', source], { logFile, what: 'chmod' });
    const flags = ['-s', '-w', ...(versionVariable ? [`-X ${module}/${versionVariable}=v${version}`] : [])];
    await go(['build', '-trimpath', '-ldflags', flags.join(' '), '-o', path.join(staging, name), `./${command}`], { cwd: source, logFile });
    fs.rmSync(source, { recursive: true });
  });
  return path.join(folder, name);
}

/** @returns the path of docker compose @throws {StackError} says what to install */
export const obtainCompose = () => builtByGo('docker-compose', 'internal.Version');

/** @returns the path of caddy @throws {StackError} says what to install */
export const obtainCaddy = () => builtByGo('caddy');

/** The program on the PATH, if it has a supported version. */
async function onPath(name: 'helm' | 'promtool', ...args: string[]): Promise<string | undefined> {
  const version = parseVersion((await ask(name, args)) ?? '')?.join('.');
  return version && isWithin(version, PINS[name]) ? name : undefined;
}

/** Helm from the PATH, else built by Go. @returns its path @throws {StackError} says what to install */
export async function obtainHelm(): Promise<string> {
  const { version } = PINS.helm;
  // A build from a module does not know its version unless the linker sets it.
  const flags = ['-ldflags', `-X helm.sh/helm/v4/internal/version.version=v${version}`];
  return (await onPath('helm', 'version', '--short')) ?? installedByGo('helm', PINS.helm, version, ...flags);
}

/** promtool from the PATH, else of Debian's Prometheus. @returns its path @throws {StackError} says what to install */
export async function obtainPromtool(): Promise<string> {
  const found = await onPath('promtool', '--version');
  if (found) return found;
  const folder = await inCache('promtool', '', async ({ folder: staging, logFile }) => {
    const unpacked = path.join(staging, 'package');
    fs.mkdirSync(unpacked);
    await unpackDebian({ folder: unpacked, logFile }, 'download', PINS.promtool.apt);
    fs.renameSync(path.join(unpacked, 'usr', 'bin', 'promtool'), path.join(staging, 'promtool'));
    fs.rmSync(unpacked, { recursive: true });
  });
  return path.join(folder, 'promtool');
}

export interface PythonPackages {
  python: string;
  /** For `PYTHONPATH`. */
  folder: string;
}

/** Packages in a folder of their own: nothing is installed system-wide. @param what arguments for `pip install` */
async function pythonPackages(name: string, version: string, ...what: string[]): Promise<PythonPackages> {
  const python = 'python3';
  const found = parseVersion((await ask(python, ['--version'])) ?? '');
  if (!found || !isWithin(found.join('.'), { min: '3.11.0', below: '4.0.0' }))
    throw new StackError(`${name} needs Python: install python3, 3.11 or newer, and pip.`);
  // Some packages are compiled for one version of Python.
  const folder = await inCache(name, `${version}-python${found.slice(0, 2).join('.')}`, ({ folder: staging, logFile }) =>
    run(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--target', staging, ...what], {
      cwd: staging,
      logFile,
      what: `pip install ${name}`,
    }),
  );
  return { python, folder };
}

/** Packages as `reference/<name>.txt` pins them with all their dependencies. */
function pinnedPackages(name: string): Promise<PythonPackages> {
  const pins = path.join(import.meta.dirname, 'reference', `${name}.txt`);
  const digest = createHash('sha256').update(fs.readFileSync(pins)).digest('hex').slice(0, 12);
  return pythonPackages(name, digest, '--no-deps', '--requirement', pins);
}

/** The Kubernetes schemas and their validator. @throws {StackError} says what to install */
export const obtainValidator = () =>
  pythonPackages('kubernetes-validate', PINS['kubernetes-validate'], `kubernetes-validate==${PINS['kubernetes-validate']}`);

/** What the Python SDK needs, and the tools that build and check it. @throws {StackError} says what to install */
export const obtainPythonSdkPackages = () => pinnedPackages('python-sdk');

/** Schemathesis and its dependencies. @throws {StackError} says what to install */
export const obtainSchemathesis = () => pinnedPackages('schemathesis');

/** The most widely used generator of clients in Python, and its dependencies. @throws {StackError} says what to install */
export const obtainPythonGenerator = () => pinnedPackages('openapi-python-client');

/** The most widely used generator of types in TypeScript, with the compiler that it needs. @returns the path of `openapi-typescript` */
export async function obtainTypescriptGenerator(): Promise<string> {
  const packages = PINS['openapi-typescript'];
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--save-exact'];
  const folder = await inCache('openapi-typescript', packages.join('-').replaceAll('@', '-'), ({ folder: staging, logFile }) =>
    run('npm', ['install', '--prefix', staging, ...options, ...packages], {
      cwd: staging,
      logFile,
      what: 'npm install openapi-typescript',
    }),
  );
  return path.join(folder, 'node_modules', 'openapi-typescript', 'bin', 'cli.js');
}

/** What clients of the generator for Go import, in the form of a `go.mod`. */
export const GO_RUNTIME = PINS['oapi-codegen'].runtime;

/** The most widely used generator of clients in Go. @returns the path of `oapi-codegen` @throws {StackError} if there is no Go */
export const obtainGoGenerator = () => installedByGo('oapi-codegen', PINS['oapi-codegen'], `v${PINS['oapi-codegen'].version}`);

/** Programs that Kubernetes's one binary contains. */
const KUBERNETES = ['etcd', 'kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kubelet', 'kube-proxy', 'kubectl'];
/** Programs that run in pods, each in an image of its own. */
export const ADDONS = ['pause', 'coredns', 'metrics-server'];

/** Without the version that the linker sets, the API server and its clients do not know each other's. */
function kubernetesFlags(): string {
  const [gitMajor, gitMinor] = PINS.kubernetes.split('.');
  const values = Object.entries({ gitVersion: `v${PINS.kubernetes}`, gitMajor, gitMinor, gitTreeState: 'clean' });
  const packages = ['k8s.io/component-base/version', 'k8s.io/client-go/pkg/version'];
  return ['-s', '-w', ...packages.flatMap((name) => values.map(([key, value]) => `-X ${name}.${key}=${value}`))].join(' ');
}

/**
 * Kubernetes, CoreDNS and the metrics server, because no package registry has them as programs. Takes 5 to 10 minutes and 10 GB of Go's caches.
 * @returns the folder with the programs
 * @throws {StackError} says what to install
 */
export const obtainKubernetes = () =>
  inCache('kubernetes', PINS.kubernetes, async ({ folder, logFile }) => {
    const GOFLAGS = '-mod=readonly -buildvcs=false -trimpath';
    const build = (module: string, target: string, flags: string, name: string) =>
      go(['build', '-ldflags', flags, '-o', path.join(folder, name), target], {
        cwd: path.join(import.meta.dirname, 'cluster', 'go', module),
        GOFLAGS,
        logFile,
      });
    await build('kubernetes', '.', kubernetesFlags(), 'kubernetes');
    for (const name of KUBERNETES) fs.symlinkSync('kubernetes', path.join(folder, name));
    for (const name of ADDONS) await build('addons', `./${name}`, '-s -w', name);
  });
