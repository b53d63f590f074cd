import { listPids, killGroup, isAlive, ownerId } from './pidfile.ts';
import type { Progress } from './progress.ts';

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
