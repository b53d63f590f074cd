'use strict';

const { describeExit } = require('./process');

const FIRST_MS = 500;
const MOST_MS = 30_000;
/** After that long without a crash the next one counts as the first. */
const CALM_MS = 60_000;

/** @param {number} crashes in a row, the present one included */
function backOff(crashes) {
  return Math.min(MOST_MS, FIRST_MS * 2 ** (crashes - 1));
}

/**
 * Starts again what ends by itself. What the stack stops or a caller kills on purpose is left alone.
 * @param {import('./process').ManagedProcess[]} processes @param {(line: string) => void} say
 * @returns {{ stop: () => void }} must be stopped before the stack is
 */
function supervise(processes, say) {
  let isOver = false;
  /** @type {Set<NodeJS.Timeout>} */
  const timers = new Set();
  for (const handle of processes) {
    let crashes = 0;
    let startedAt = Date.now();
    /** @param {import('./process').Exit} [exit] */
    const onEnd = (exit) => {
      if (isOver) return;
      crashes = Date.now() - startedAt > CALM_MS ? 1 : crashes + 1;
      const wait = backOff(crashes);
      const last = handle.lastLines(2).join(' | ');
      say(`${handle.name} ended by itself (${describeExit(exit)}); starting it again in ${wait / 1000} s. Last lines: ${last || 'none'} (${handle.logFile})`);
      const timer = setTimeout(() => { timers.delete(timer); void again(); }, wait);
      timers.add(timer);
    };
    const again = async () => {
      if (isOver || handle.isRunning) return;
      startedAt = Date.now();
      try {
        handle.launch();
        await handle.ready();
        if (!isOver) say(`${handle.name} is back.`);
      } catch {
        // An early end came through the listener already; one that hung was killed by ready() and is ours to start again.
        if (!isOver && !handle.isRunning && handle.isExpectedToEnd) onEnd();
      }
    };
    handle.unexpectedExitListeners.push(onEnd);
  }
  return {
    stop: () => {
      isOver = true;
      for (const timer of timers) clearTimeout(timer);
    },
  };
}

module.exports = { supervise, backOff };
