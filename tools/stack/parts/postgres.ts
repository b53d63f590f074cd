import fs from 'node:fs';
import path from 'node:path';
import { ManagedProcess, ORDER } from '../process.ts';
import { StackError } from '../errors.ts';
import { run } from '../run.ts';
import { postgresAnswers } from '../checks.ts';
import { anyoneCanEnter, isRoot, outsideHome, placeAtomically, unprivilegedUser, SHARED_ROOT, type User } from '../paths.ts';
import { commandOf } from './docker.ts';
import type { Tools } from './find.ts';
import type { PartContext } from '../stack.ts';

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
async function reachable(tools: Tools, signal?: AbortSignal, logFile = '/dev/null'): Promise<Tools> {
  if (!isRoot() || tools.image || anyoneCanEnter(tools.where)) return tools;
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
    tool: (name) => {
      const it = tools.tool(name);
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

interface Cluster extends Pick<PartContext, 'home' | 'secrets' | 'signal' | 'options'> {
  data: string;
  tools: Tools;
  user: User | undefined;
}

/** Creates a new cluster with our database. A crash in between leaves no partial cluster. */
async function createCluster({ data, tools, user, secrets, home, signal, options }: Cluster): Promise<void> {
  const folder = path.dirname(data);
  fs.mkdirSync(folder, { recursive: true });
  if (isRoot() && folder !== home) for (const dir of [SHARED_ROOT, folder]) fs.chmodSync(dir, 0o755);
  const logFile = path.join(home, 'logs', 'initdb.log');
  const env = { PATH: process.env.PATH, TZ: 'UTC', LC_ALL: 'C' };
  const fresh = `${data}.new`;
  fs.rmSync(fresh, { recursive: true, force: true });
  fs.mkdirSync(fresh, { mode: 0o700 });
  const password = path.join(fresh, 'password');
  fs.writeFileSync(password, secrets.postgresPassword, { mode: 0o600 });
  if (user) for (const it of [fresh, password]) fs.chownSync(it, user.uid, user.gid);
  const cluster = path.join(fresh, 'data');
  const tool = (name: string) => commandOf(tools, name, { home, part: 'postgres', mounts: [folder], user });
  const init = tool('initdb');
  await run(
    init.file,
    [
      ...init.args,
      '-D',
      cluster,
      '-U',
      'postgres',
      '--auth=scram-sha-256',
      `--pwfile=${password}`,
      '--encoding=UTF8',
      '--locale=C',
      '--no-sync',
      // A cluster of tests is copied for each of them: most of its bytes would be the log.
      ...(options.postgres?.fsync === false ? ['--wal-segsize=1'] : []),
    ],
    { cwd: '/', env: { ...env, ...init.env }, logFile, what: 'initdb', signal, ...(tools.image ? {} : user) },
  );
  const single = tool('postgres');
  // Single-user mode, because the package contains no psql, and before pnpm install we have no client.
  await run(single.file, [...single.args, '--single', '-D', cluster, 'postgres'], {
    cwd: '/',
    env: { ...env, ...single.env },
    logFile,
    what: 'creating the database',
    signal,
    input: `CREATE DATABASE ${DATABASE}\n`,
    ...(tools.image ? {} : user),
  });
  fs.renameSync(cluster, data);
  fs.rmSync(fresh, { recursive: true, force: true });
}

/** Copies the cluster of a stopped stack. A crash in between leaves no partial cluster. */
async function copyCluster(template: string, data: string, home: string, signal: AbortSignal | undefined): Promise<void> {
  const folder = path.dirname(data);
  fs.mkdirSync(folder, { recursive: true });
  if (isRoot() && folder !== home) for (const dir of [SHARED_ROOT, folder]) fs.chmodSync(dir, 0o755);
  const fresh = `${data}.new`;
  fs.rmSync(fresh, { recursive: true, force: true });
  const logFile = path.join(home, 'logs', 'initdb.log');
  await run('cp', ['-a', dataFolder(template), fresh], { what: 'copying the database', logFile, signal });
  fs.renameSync(fresh, data);
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
  const tools = await reachable(found, signal, path.join(home, 'logs', 'initdb.log'));
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
  const handle = new ManagedProcess(
    {
      name: 'postgres',
      order: ORDER.part,
      // SIGINT is Postgres's fast shutdown: it ends sessions and writes a checkpoint. SIGTERM would wait for all clients.
      stopSignal: 'SIGINT',
      graceMs: 20_000,
      // After a kill, old backend processes take a moment to exit.
      retryOn: /pre-existing shared memory|lock file .* already exists/,
      check: () => postgresAnswers('127.0.0.1', port, DATABASE),
      command: (extraEnv) => {
        removeStaleLock(data);
        const { file, args, env } = commandOf(tools, 'postgres', { home, part: 'postgres', mounts: [path.dirname(data)], user });
        const flags = Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
        return {
          file,
          args: [...args, '-D', data, ...flags],
          cwd: '/',
          ...(tools.image ? {} : user),
          env: { PATH: process.env.PATH ?? '', TZ: 'UTC', LC_ALL: 'C', ...env, ...extraEnv },
        };
      },
    },
    stack,
  );
  const prepare = async () => {
    if (!data.startsWith(home)) forgetDeadHomes(home);
    if (!fs.existsSync(path.join(data, 'PG_VERSION'))) {
      if (options.template) await copyCluster(options.template, data, home, signal);
      else await createCluster({ data, tools, user, secrets, home, signal, options });
    }
    const had = fs.readFileSync(path.join(data, 'PG_VERSION'), 'utf8').trim();
    if (had !== found.version.split('.')[0]) {
      throw new StackError(
        `${data} was made by Postgres ${had} and this is ${found.version}: use Postgres ${had}, or wipe it with npm run reset.`,
      );
    }
  };
  return { handle, prepare, adminUrl: `postgres://postgres:${secrets.postgresPassword}@127.0.0.1:${port}/${DATABASE}` };
}
