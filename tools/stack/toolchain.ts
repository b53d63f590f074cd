import fs from 'node:fs';
import path from 'node:path';
import { createHash } from 'node:crypto';
import { BuildStamp } from './build-stamp.ts';
import { REPO } from './paths.ts';
import { run } from './run.ts';
import { withLock } from './lock.ts';
import { StackError } from './errors.ts';
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
