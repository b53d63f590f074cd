import fs from 'node:fs';
import path from 'node:path';
import { createHash } from 'node:crypto';
import { REPO } from './paths.ts';
import { run } from './run.ts';
import { withLock } from './lock.ts';
import { StackError } from './errors.ts';
import versions from './versions.json' with { type: 'json' };

const BOOTSTRAP = path.join(REPO, 'tools', 'bootstrap.cjs');
const TOOLCHAIN = path.join(REPO, '.toolchain');
/** Under node_modules, so that who deletes that folder gets a fresh install. */
const STAMP = path.join(REPO, 'node_modules', '.classroom-stamp');
export const PNPM = path.join(TOOLCHAIN, 'node_modules', '.bin', 'pnpm');

const OWN_NODE = path.join(REPO, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin', 'node');

/** Node 24 from the root manifest's package; before the first install that of bootstrap.cjs, which runs us. */
export const nodeBinary = () => (fs.existsSync(OWN_NODE) ? OWN_NODE : process.execPath);

/** The caller's environment for tools: without what npm told its own script, with our node and pnpm first. */
export function toolEnvironment(): NodeJS.ProcessEnv {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_(package|lifecycle)_|^INIT_CWD$/.test(name)));
  const first = [path.dirname(nodeBinary()), path.dirname(PNPM)].join(path.delimiter);
  return { ...env, PATH: `${first}${path.delimiter}${process.env.PATH}`, NX_DAEMON: 'false', NX_TUI: 'false', CI: 'true' };
}

/** What an install must match: the lock file, the tools that read it, the platform it chose packages for. */
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

interface Where {
  /** Where logs and pids go. */
  home: string;
  signal?: AbortSignal;
}

/** pnpm, then the packages; nothing when the last install was for the same lock file. @returns what was done */
export async function install({ home, signal }: Where): Promise<string> {
  if (isInstalled()) return 'unchanged';
  return withLock(
    path.join(TOOLCHAIN, 'install.lock'),
    async () => {
      if (isInstalled()) return 'unchanged';
      const options = { cwd: REPO, env: toolEnvironment(), home, logFile: path.join(home, 'logs', 'install.log'), signal };
      // Nothing where it has been got already, as on a first start.
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

/** All projects that can be built, by Nx, which skips what didn't change. */
export async function build({ home, signal }: Where): Promise<void> {
  await withLock(
    path.join(TOOLCHAIN, 'build.lock'),
    () =>
      run(path.join(REPO, 'node_modules', '.bin', 'nx'), ['run-many', '-t', 'build', '--output-style=stream'], {
        cwd: REPO,
        env: { ...toolEnvironment(), NO_COLOR: '1' },
        home,
        logFile: path.join(home, 'logs', 'build.log'),
        what: 'The build',
        signal,
      }),
    signal,
  );
}
