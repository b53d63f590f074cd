import { describeExit, type ManagedProcess, type Exit } from './process.ts';
import { isDiskFull } from './disk.ts';

const FIRST_MS = 500;
const MAX_MS = 30_000;
/**
 * Between attempts while the disk is full, in milliseconds. Such failures are no crashes of the process, and it should start soon after
 * there is space.
 */
const DISK_FULL_RETRY_MS = 5_000;
/** After so many milliseconds without a crash, the next one counts as the first. */
const RESET_AFTER_MS = 60_000;

/** @param crashes consecutive crashes, including this one */
export function backOff(crashes: number) {
  return Math.min(MAX_MS, FIRST_MS * 2 ** (crashes - 1));
}

export interface Supervisor {
  stop: () => void;
}

/**
 * Restarts processes that end by themselves. Processes that the stack stops or a caller kills are left alone.
 * @returns a supervisor, which must be stopped before the stack
 */
export function supervise(processes: ManagedProcess[], say: (line: string) => void): Supervisor {
  let isOver = false;
  const timers = new Set<NodeJS.Timeout>();
  for (const handle of processes) {
    let crashes = 0;
    let startedAt = Date.now();
    let isDiskFullReported = false;
    /** @param what describes the event */
    const retry = (what: string, error?: unknown) => {
      if (isOver) return;
      const isFull = isDiskFull(handle.stack.home, error);
      if (!isFull) crashes = Date.now() - startedAt > RESET_AFTER_MS ? 1 : crashes + 1;
      const wait = isFull ? DISK_FULL_RETRY_MS : backOff(crashes);
      const full = `The disk is full: make room on the one of ${handle.stack.home}. `;
      const again = isFull ? `trying again every ${wait / 1000} s` : `starting it again in ${wait / 1000} s`;
      if (!isFull || !isDiskFullReported)
        say(
          `${isFull ? full : ''}${handle.name} ${what}; ${again}. Last lines: ${handle.lastLines(2).join(' | ') || 'none'} (${handle.logFile})`,
        );
      isDiskFullReported = isFull;
      const timer = setTimeout(() => {
        timers.delete(timer);
        void start();
      }, wait);
      timers.add(timer);
    };
    const onEnd = (exit: Exit) => retry(`ended by itself (${describeExit(exit)})`);
    const start = async () => {
      if (isOver || handle.isRunning) return;
      startedAt = Date.now();
      try {
        handle.launch();
      } catch (error) {
        retry(`could not be started (${error instanceof Error ? error.message : error})`, error);
        return;
      }
      try {
        await handle.ready();
        isDiskFullReported = false;
        if (!isOver) say(`${handle.name} is back.`);
      } catch (error) {
        // The listener has already handled an early end. A process that hung was killed by ready() and must be restarted here.
        if (!handle.isRunning && handle.isExpectedToEnd) retry('was not ready in time', error);
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
