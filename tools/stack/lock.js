'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { setTimeout: sleep } = require('node:timers/promises');
const { identify, isAlive, readPid } = require('./pidfile');

/**
 * Takes `file` for this process, over the dead body of a former holder only.
 * @param {string} file
 * @returns {{ release: () => void } | { holder: number }} `holder`: the pid of the living process that has it
 */
function tryLock(file) {
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
        if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error;
      }
      const other = readPid(file);
      if (other && isAlive(other)) return { holder: other.pid };
      takeAwayStale(file, beside);
    }
  } finally {
    fs.rmSync(beside, { force: true });
  }
}

/** Moves it aside, and back where another process put its own there between our look and the move. @param {string} file @param {string} beside */
function takeAwayStale(file, beside) {
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
    } catch { /* a third one has it: that one is found at the next look */ }
  }
  fs.rmSync(aside, { force: true });
}

/**
 * Runs `work` while no other process holds `file`; waits for it otherwise.
 * @template T @param {string} file @param {() => Promise<T>} work @param {AbortSignal} [signal] @returns {Promise<T>}
 */
async function withLock(file, work, signal) {
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

module.exports = { tryLock, withLock };
