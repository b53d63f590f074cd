import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf } from './errors.ts';
import { identify, isAlive, readPid } from './pidfile.ts';

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
