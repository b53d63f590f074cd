import fs from 'node:fs';
import path from 'node:path';
import { postgresAnswers } from '../checks.ts';
import { anyoneCanEnter, isRoot, outsideHome, placeAtomically, SHARED_ROOT, StackError, unprivilegedUser, type User } from '../context.ts';
import type { PartContext } from '../options.ts';
import { partProcess } from '../process.ts';
import { run } from '../run.ts';
import type { Tools } from './obtain.ts';

export const DATABASE = 'classroom';

/** The data folder: in the home, or, as root, in a folder outside it if an unprivileged user can't enter the home. */
export function dataFolder(home: string) {
  const base = isRoot() && !anyoneCanEnter(home) ? outsideHome(home) : home;
  return path.join(base, 'postgres');
}

/** @returns the user to run Postgres as, if this process is root */
function serverUser(data: string): User | undefined {
  if (!isRoot()) return undefined;
  try {
    // Postgres must own its data. An existing data folder keeps its owner, even if another user is now preferred.
    const { uid, gid } = fs.statSync(data);
    if (uid !== 0) return { uid, gid };
  } catch {
    /* first start */
  }
  return unprivilegedUser();
}

/** The programs at a path where the server's user can read them. Copies them if needed. */
async function reachable(tools: Tools, logFile: string, signal?: AbortSignal): Promise<Tools> {
  if (!isRoot() || anyoneCanEnter(tools.where)) return tools;
  const copy = path.join(SHARED_ROOT, 'bin', `postgres-${tools.version}`);
  if (!fs.existsSync(copy)) {
    await placeAtomically(copy, async (temporary) => {
      await run('cp', ['-a', `${tools.where}/.`, temporary], { what: 'cp', logFile, signal });
      await run('chmod', ['-R', 'a+rX', temporary], { what: 'chmod', logFile, signal });
      await run('chown', ['-R', '0:0', temporary], { what: 'chown', logFile, signal });
    });
    fs.chmodSync(SHARED_ROOT, 0o755);
    fs.chmodSync(path.dirname(copy), 0o755);
  }
  return {
    ...tools,
    tool: (...command) => {
      const it = tools.tool(...command);
      return { ...it, file: it.file.replace(tools.where, copy) };
    },
  };
}

/** Deletes data outside of homes whose home no longer exists. Each folder contains the path of its home in a file. */
function forgetDeadHomes(home: string) {
  fs.mkdirSync(outsideHome(home), { recursive: true });
  fs.writeFileSync(path.join(outsideHome(home), 'home'), home);
  for (const name of fs.readdirSync(SHARED_ROOT)) {
    const note = path.join(SHARED_ROOT, name, 'home');
    if (fs.existsSync(note) && !fs.existsSync(fs.readFileSync(note, 'utf8')))
      fs.rmSync(path.dirname(note), { recursive: true, force: true });
  }
}

/** Makes the data folder in one step: a crash in between leaves no partial cluster. @param fill creates a cluster in a folder that does not exist */
async function placeCluster(data: string, home: string, fill: (cluster: string) => Promise<void>): Promise<void> {
  const folder = path.dirname(data);
  fs.mkdirSync(folder, { recursive: true });
  if (isRoot() && folder !== home) for (const dir of [SHARED_ROOT, folder]) fs.chmodSync(dir, 0o755);
  const fresh = `${data}.new`;
  fs.rmSync(fresh, { recursive: true, force: true });
  await fill(fresh);
  fs.renameSync(fresh, data);
}

interface Cluster extends Pick<PartContext, 'secrets' | 'signal' | 'options'> {
  tools: Tools;
  user: User | undefined;
  logFile: string;
}

/** A new cluster with our database. */
async function createCluster(cluster: string, { tools, user, secrets, logFile, signal, options }: Cluster): Promise<void> {
  const password = `${cluster}.password`;
  fs.mkdirSync(cluster, { mode: 0o700 });
  fs.writeFileSync(password, secrets.postgresPassword, { mode: 0o600 });
  if (user) for (const it of [cluster, password]) fs.chownSync(it, user.uid, user.gid);
  const env = { PATH: process.env.PATH, TZ: 'UTC', LC_ALL: 'C' };
  const runTool = (what: string, name: string, args: string[], input?: string) => {
    const tool = tools.tool(name, ...args);
    return run(tool.file, tool.args, { cwd: '/', env: { ...env, ...tool.env }, logFile, what, signal, input, ...user });
  };
  // A cluster of tests is copied for each of them: most of its bytes would be the log.
  const size = options.postgres?.fsync === false ? ['--wal-segsize=1'] : [];
  const login = ['-U', 'postgres', '--auth=scram-sha-256', `--pwfile=${password}`];
  try {
    await runTool('initdb', 'initdb', ['-D', cluster, ...login, '--encoding=UTF8', '--locale=C', '--no-sync', ...size]);
  } finally {
    fs.rmSync(password);
  }
  // Single-user mode, because the package contains no psql, and before pnpm install we have no client.
  await runTool('creating the database', 'postgres', ['--single', '-D', cluster, 'postgres'], `CREATE DATABASE ${DATABASE}\n`);
}

/**
 * Removes a stale lock. After a crash of the machine, the pid in Postgres's lock file may belong to another program, and Postgres refuses to start.
 */
function removeStaleLock(data: string) {
  const lock = path.join(data, 'postmaster.pid');
  try {
    const pid = Number(fs.readFileSync(lock, 'utf8').split('\n')[0]);
    if (!fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('postgres')) fs.rmSync(lock);
  } catch {
    /* no lock, no such process, or no /proc: leave the decision to Postgres */
  }
}

export async function createPostgres(stack: PartContext, found: Tools) {
  const { home, secrets, options, signal } = stack;
  const port = stack.ports.parts.postgres;
  const data = dataFolder(home);
  const user = serverUser(data);
  const logFile = path.join(home, 'logs', 'initdb.log');
  const tools = await reachable(found, logFile, signal);
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    max_connections: 200,
    shared_buffers: '64MB',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // No Unix socket: all clients use TCP, and in a deep home the socket's path would exceed the limit of 107 characters.
    unix_socket_directories: '',
    fsync: options.postgres?.fsync === false ? 'off' : 'on',
    full_page_writes: options.postgres?.fsync === false ? 'off' : 'on',
    log_min_messages: 'warning',
    log_checkpoints: 'off',
    ...options.postgres?.settings,
  };
  const handle = partProcess(
    'postgres',
    {
      // SIGINT is Postgres's fast shutdown: it ends sessions and writes a checkpoint. SIGTERM would wait for all clients.
      stopSignal: 'SIGINT',
      graceMs: 20_000,
      // After a kill, old backend processes take a moment to exit.
      retryOn: /pre-existing shared memory|lock file .* already exists/,
      check: () => postgresAnswers('127.0.0.1', port, DATABASE),
      command: () => {
        removeStaleLock(data);
        const flags = Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
        const command = tools.tool('postgres', '-D', data, ...flags);
        return { ...command, cwd: '/', ...user, env: { LC_ALL: 'C', ...command.env } };
      },
    },
    stack,
  );
  const prepare = async () => {
    if (!data.startsWith(home)) forgetDeadHomes(home);
    if (!fs.existsSync(path.join(data, 'PG_VERSION'))) {
      const { template } = options;
      await placeCluster(data, home, (cluster) =>
        template
          ? run('cp', ['-a', dataFolder(template), cluster], { what: 'copying the database', logFile, signal })
          : createCluster(cluster, { tools, user, secrets, logFile, signal, options }),
      );
    }
    const had = fs.readFileSync(path.join(data, 'PG_VERSION'), 'utf8').trim();
    if (had !== found.version.split('.')[0]) {
      throw new StackError(
        `${data} was made by Postgres ${had} and this is ${found.version}: use Postgres ${had}, or wipe it with npm run reset.`,
      );
    }
  };
  return { handle, prepare, url: `postgres://postgres:${secrets.postgresPassword}@127.0.0.1:${port}/${DATABASE}` };
}
