import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf } from './errors.ts';
import { identify, isAlive, readPid } from './pidfile.ts';

export interface Lock {
  release: () => void;
}

/**
 * Takes `file` for this process, over the dead body of a former holder only.
 * @returns `holder`: the pid of the living process that has it
 */
export function tryLock(file: string): Lock | { holder: number } {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const mine = { name: path.basename(file), pid: process.pid, identity: identify(process.pid) };
  // Written beside and linked: the file never exists without its content.
  const beside = `${file}.${process.pid}`;
  fs.writeFileSync(beside, JSON.stringify(mine));
  try {
    for (;;) {
      try {
        fs.linkSync(beside, file);
        return { release: () => fs.rmSync(file, { force: true }) };
      } catch (error) {
        if (codeOf(error) !== 'EEXIST') throw error;
      }
      const other = readPid(file);
      if (other && isAlive(other)) return { holder: other.pid };
      takeAwayStale(file, beside);
    }
  } finally {
    fs.rmSync(beside, { force: true });
  }
}

/** Moves it aside, and back where another process put its own there between our look and the move. */
function takeAwayStale(file: string, beside: string) {
  const aside = `${beside}.stale`;
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
      /* a third one has it: that one is found at the next look */
    }
  }
  fs.rmSync(aside, { force: true });
}

/** Runs `work` while no other process holds `file`; waits for it otherwise. */
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
