import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDiskFull, StackError } from './context.ts';
import { isAlive, killGroup, listPids, ownerId, readPid, runDir } from './pidfile.ts';
import { describeExit, type Exit, type ManagedProcess } from './process.ts';
import type { Progress } from './progress.ts';

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

/**
 * Restarts processes that end by themselves. Processes that the stack stops or a caller kills are left alone.
 * @returns ends it; to be called before the stack stops
 */
export function supervise(processes: ManagedProcess[], say: (line: string) => void): () => void {
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
  return () => {
    isOver = true;
    for (const timer of timers) clearTimeout(timer);
  };
}

const requestsDir = (home: string) => path.join(runDir(home), 'restart');
const errorFile = (request: string) => `${request}.error`;

/** Restarts the processes that `requestRestart` names, as long as this process runs. */
export function serveRestarts(home: string, processes: Record<string, ManagedProcess>): void {
  const folder = requestsDir(home);
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(folder, { recursive: true });
  let queue = Promise.resolve();
  const restart = async (name: string) => {
    const request = path.join(folder, name);
    const handle = processes[name];
    if (!handle || !fs.existsSync(request)) return;
    try {
      // A service loses nothing when it is killed, and a graceful stop would take longer.
      await handle.kill();
      await handle.start();
    } catch (error) {
      const { message, details } = error instanceof StackError ? error : { message: String(error), details: [] };
      fs.writeFileSync(errorFile(request), [message, ...details].join('\n'));
    } finally {
      fs.rmSync(request, { force: true });
    }
  };
  fs.watch(folder, (_event, name) => {
    if (name) queue = queue.then(() => restart(name));
  });
}

/**
 * Asks the launcher of a running stack to restart one process, and waits until it serves again.
 * @throws {StackError} if no stack runs in this home, it does not run the process, or the process could not start
 */
export async function requestRestart(home: string, name: string, timeoutMs: number): Promise<void> {
  const folder = requestsDir(home);
  const launcher = readPid(path.join(runDir(home), 'launcher.pid'));
  if (!launcher || !isAlive(launcher) || !fs.existsSync(folder)) {
    throw new StackError(`No stack runs in ${home}: start one with npm start.`);
  }
  const request = path.join(folder, name);
  fs.rmSync(errorFile(request), { force: true });
  fs.writeFileSync(request, '');
  for (const until = Date.now() + timeoutMs; fs.existsSync(request); await sleep(20)) {
    if (Date.now() > until) throw new StackError(`The stack in ${home} did not restart ${name} within ${timeoutMs / 1000} s.`);
  }
  if (fs.existsSync(errorFile(request))) throw new StackError(fs.readFileSync(errorFile(request), 'utf8'));
}

/** Ctrl-C arrives from the terminal and a second time through npm: signals within this time count as one. */
const SAME_SIGNAL_MS = 400;

/** The first signal stops the stack gracefully. A later one kills it immediately. */
export function onStop({ progress, home }: { progress: Progress; home: string }) {
  const controller = new AbortController();
  let firstAt = 0;
  const { promise: asked, resolve: wake } = Promise.withResolvers<void>();
  // The child processes are unreferenced: without a timer the launcher would exit.
  const keepAlive = setInterval(() => {}, 60_000);
  const onSignal = () => {
    if (firstAt === 0) {
      firstAt = Date.now();
      progress.line('Stopping …');
      controller.abort();
      wake();
    } else if (Date.now() - firstAt > SAME_SIGNAL_MS) {
      const owner = ownerId();
      for (const record of listPids(home)) if (record.owner === owner && isAlive(record)) killGroup(record.pid);
      process.exit(130);
    }
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
  watchNpm(onSignal);
  return {
    signal: controller.signal,
    isAsked: () => firstAt > 0,
    /** Something failed: aborts everything else that is in progress. */
    fail: () => controller.abort(),
    /** Waits for the first signal, then stops the stack. */
    finished: async (stack?: { stop: () => Promise<unknown> }) => {
      await asked;
      await stack?.stop();
      clearInterval(keepAlive);
      progress.line('Stopped.');
      process.exit(0);
    },
  };
}

/**
 * npm passes SIGTERM to the shell between itself and this process, and the shell ends without forwarding it. A change of the parent process shows
 * that; it also shows that bootstrap.cjs was killed. Without npm or bootstrap.cjs, a change means nothing (nohup, or `&` in a closed terminal).
 */
export function watchNpm(onParentExit: () => void): void {
  const parent = process.ppid;
  if (!process.env.npm_lifecycle_event && process.env.BOOTSTRAP_PID !== String(parent)) return;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    onParentExit();
  }, 200);
  timer.unref();
}
