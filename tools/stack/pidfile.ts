import fs from 'node:fs';
import path from 'node:path';
import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * A pid alone names nobody for long: after a crash the number may belong to a stranger. With the start time (and, on
 * Linux, the boot, since start times count from it) it names one process for ever.
 * @returns nothing when no such process runs (a zombie doesn't)
 */
export function identify(pid: number): string | undefined {
  try {
    if (process.platform === 'linux') {
      const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
      // The second field is the name in parentheses and may hold spaces: count from the last parenthesis.
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

/** This process as the owner of what it starts. */
export function ownerId() {
  return `${process.pid}@${identify(process.pid)}`;
}

export const runDir = (home: string) => path.join(home, 'run');

/** More than any record takes: to overwrite a file of this size needs no space, so it works on a full disk. */
const RECORD_BYTES = 512;

export function writePid(home: string, record: PidRecord) {
  overwrite(home, record.name, JSON.stringify(record));
}

/** Takes the space of a record before there is a process that could not be noted. @throws when the disk is full */
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

/** Removes the file only while it still speaks of this process: a successor may have written its own. */
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
    /* gone already */
  }
}

/** Every process of ours leads a group of its own, so this also ends what it started. */
export function killGroup(pid: number) {
  signalQuietly(-pid, 'SIGKILL');
  signalQuietly(pid, 'SIGKILL');
}

/**
 * Ends the processes a dead launcher left behind: apps before the parts they use, politely first.
 * @param options `owner`: only what this launcher started
 * @returns the names of those that still ran
 */
export async function endLeftOvers(home: string, { owner, graceMs = 4000 }: { owner?: string; graceMs?: number } = {}): Promise<string[]> {
  const records = listPids(home).filter((record) => owner === undefined || record.owner === owner);
  const left = records.filter(isAlive);
  for (const order of [...new Set(left.map((record) => record.order))].sort((a, b) => b - a)) {
    const batch = left.filter((record) => record.order === order);
    for (const record of batch) signalQuietly(record.pid, record.signal);
    const until = Date.now() + graceMs;
    while (batch.some(isAlive) && Date.now() < until) await sleep(25);
    for (const record of batch) if (isAlive(record)) killGroup(record.pid);
    while (batch.some(isAlive)) await sleep(25);
    // What they started may have outlived them.
    for (const record of batch) signalQuietly(-record.pid, 'SIGKILL');
  }
  for (const record of records) removePid(home, record);
  return left.map((record) => record.name);
}
