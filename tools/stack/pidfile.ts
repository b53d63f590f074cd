import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import type { Socket } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf } from './context.ts';

/**
 * A pid alone does not identify a process: after a crash another process may get the same number. Together with the start time (and, on
 * Linux, the id of the boot, because start times count from it) it identifies one process permanently.
 * @returns undefined if no such process runs; a zombie does not count as running
 */
export function identify(pid: number): string | undefined {
  try {
    if (process.platform === 'linux') {
      const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
      // The second field is the name in parentheses, which may contain spaces: split after the last parenthesis.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
      return `${fs.readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}:${fields[19]}`;
    }
    const line = execFileSync('ps', ['-o', 'state=,lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    return !line || line.startsWith('Z') ? undefined : line.replace(/^\S+\s+/, '');
  } catch {
    return undefined;
  }
}

export interface PidRecord {
  name: string;
  pid: number;
  identity: string;
  owner: string;
  order: number;
  signal: NodeJS.Signals;
}

export function isAlive(record: { pid: number; identity: string }): boolean {
  const now = identify(record.pid);
  return now !== undefined && now === record.identity;
}

/** The id of this process as the owner of the processes that it starts. */
export function ownerId() {
  return `${process.pid}@${identify(process.pid)}`;
}

export const runDir = (home: string) => path.join(home, 'run');

/** Larger than any record. Overwriting a file of this size needs no new space, so it works on a full disk. */
const RECORD_BYTES = 512;

export function writePid(home: string, record: PidRecord) {
  overwrite(home, record.name, JSON.stringify(record));
}

/** Reserves the space of a record before the process starts, so that the process can always be recorded. @throws if the disk is full */
export function reservePid(home: string, name: string) {
  overwrite(home, name, '');
}

function overwrite(home: string, name: string, text: string) {
  fs.mkdirSync(runDir(home), { recursive: true });
  const file = fs.openSync(path.join(runDir(home), `${name}.pid`), fs.constants.O_RDWR | fs.constants.O_CREAT, 0o644);
  try {
    fs.writeSync(file, text.padEnd(RECORD_BYTES), 0);
  } finally {
    fs.closeSync(file);
  }
}

/** Removes the file only if it still belongs to this process: a successor may have written its own. */
export function removePid(home: string, record: PidRecord) {
  const file = path.join(runDir(home), `${record.name}.pid`);
  const now = readPid(file);
  if (now && now.pid === record.pid && now.identity === record.identity) fs.rmSync(file, { force: true });
}

export function readPid(file: string): PidRecord | undefined {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

export function listPids(home: string): PidRecord[] {
  if (!fs.existsSync(runDir(home))) return [];
  return fs
    .readdirSync(runDir(home))
    .filter((name) => name.endsWith('.pid') && name !== 'launcher.pid')
    .flatMap((name) => readPid(path.join(runDir(home), name)) ?? []);
}

export function signalQuietly(pid: number, signal: NodeJS.Signals) {
  try {
    process.kill(pid, signal);
  } catch {
    /* already gone */
  }
}

/** Kills the process and all processes that it started: each of our processes leads its own process group. */
export function killGroup(pid: number) {
  signalQuietly(-pid, 'SIGKILL');
  signalQuietly(pid, 'SIGKILL');
}

/**
 * Ends processes that a dead launcher left behind: apps before the parts that they use, first with their stop signal, after graceMs with SIGKILL.
 * @param options `owner`: end only processes that this launcher started
 * @returns the names of those that were still running
 */
export async function endOrphans(home: string, { owner, graceMs = 4000 }: { owner?: string; graceMs?: number } = {}): Promise<string[]> {
  const records = listPids(home).filter((record) => owner === undefined || record.owner === owner);
  const left = records.filter(isAlive);
  for (const order of [...new Set(left.map((record) => record.order))].sort((a, b) => b - a)) {
    const batch = left.filter((record) => record.order === order);
    for (const record of batch) signalQuietly(record.pid, record.signal);
    const until = Date.now() + graceMs;
    while (batch.some(isAlive) && Date.now() < until) await sleep(25);
    for (const record of batch) if (isAlive(record)) killGroup(record.pid);
    while (batch.some(isAlive)) await sleep(25);
    // Processes that they started may still be running.
    for (const record of batch) signalQuietly(-record.pid, 'SIGKILL');
  }
  for (const record of records) removePid(home, record);
  return left.map((record) => record.name);
}

export interface Lock {
  release: () => void;
}

/**
 * Takes the lock `file` for this process, replacing only a lock whose holder no longer runs.
 * @returns the lock, or `holder`: the pid of the running process that has it
 */
export function tryLock(file: string): Lock | { holder: number } {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const mine = { name: path.basename(file), pid: process.pid, identity: identify(process.pid) };
  // Written to a temporary file and linked, so that the file never exists without its content.
  const temporary = `${file}.${process.pid}`;
  fs.writeFileSync(temporary, JSON.stringify(mine));
  try {
    for (;;) {
      try {
        fs.linkSync(temporary, file);
        return { release: () => fs.rmSync(file, { force: true }) };
      } catch (error) {
        if (codeOf(error) !== 'EEXIST') throw error;
      }
      const other = readPid(file);
      if (other && isAlive(other)) return { holder: other.pid };
      removeStaleLock(file, temporary);
    }
  } finally {
    fs.rmSync(temporary, { force: true });
  }
}

/** Moves the lock aside. If another process replaced it between the check and the move, moves it back. */
function removeStaleLock(file: string, temporary: string) {
  const aside = `${temporary}.stale`;
  try {
    fs.renameSync(file, aside);
  } catch {
    return;
  }
  const moved = readPid(aside);
  if (moved && isAlive(moved)) {
    try {
      fs.linkSync(aside, file);
    } catch {
      /* a third process has the lock: the next attempt finds it */
    }
  }
  fs.rmSync(aside, { force: true });
}

/** Runs `work` while this process holds `file`. Waits while another process holds it. */
export async function withLock<T>(file: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  for (;;) {
    const lock = tryLock(file);
    if ('release' in lock) {
      try {
        return await work();
      } finally {
        lock.release();
      }
    }
    await sleep(200, undefined, { signal });
  }
}

/**
 * Starts a shell that waits on a pipe from this process. The kernel closes the pipe however this process ends, even by kill -9. The shell then runs
 * this file in Node, which ends the processes that we started. A shell takes 1 MB per stack; a waiting Node process would take 40.
 * @param owner as returned by ownerId()
 * @returns ends the watchdog after a graceful stop
 */
export function startWatchdog(home: string, owner: string): () => Promise<void> {
  const script = 'trap "" INT HUP TERM; read -r word && exit 0; exec "$0" "$1" "$2" "$3"';
  const child = spawn('/bin/sh', ['-c', script, process.execPath, import.meta.filename, home, owner], {
    // No output: the watchdog must not keep a terminal or a pipe open that another process reads to its end.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { PATH: process.env.PATH },
    cwd: '/',
  });
  child.unref();
  child.stdin.on('error', () => {});
  (child.stdin as Socket).unref();
  const gone = new Promise((resolve) => {
    child.once('exit', resolve);
    child.once('error', resolve);
  });
  return async () => {
    const keepAlive = setInterval(() => {}, 1000);
    child.stdin.end('done\n');
    await gone;
    clearInterval(keepAlive);
  };
}

if (import.meta.main) {
  const [home = '', owner] = process.argv.slice(2);
  void endOrphans(home, { owner });
}
