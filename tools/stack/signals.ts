import { listPids, killGroup, isAlive, ownerId } from './pidfile.ts';
import type { Progress } from './progress.ts';

/** Ctrl-C reaches us from the terminal and once more through npm: what comes that close together is one wish. */
const SAME_WISH_MS = 400;

/** The first signal stops in order, a later one at once. */
export function onStop({ progress, home }: { progress: Progress; home: string }) {
  const controller = new AbortController();
  let firstAt = 0;
  const { promise: asked, resolve: wake } = Promise.withResolvers<void>();
  // The children are unreferenced: without this nothing would keep the launcher in place.
  const keepAlive = setInterval(() => {}, 60_000);
  const onSignal = () => {
    if (firstAt === 0) {
      firstAt = Date.now();
      progress.line('Stopping …');
      controller.abort();
      wake();
    } else if (Date.now() - firstAt > SAME_WISH_MS) {
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
    /** One thing went wrong: what else is under way ends too. */
    fail: () => controller.abort(),
    /** Waits for the wish, then stops. */
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
 * npm passes SIGTERM to the shell it put between itself and us, and that shell dies without telling us: being handed to
 * another parent is then the message; so it is where bootstrap.cjs was killed. Any other parent that goes means nothing (nohup, a
 * closed terminal's `&`).
 */
export function watchNpm(onGone: () => void): void {
  const parent = process.ppid;
  if (!process.env.npm_lifecycle_event && process.env.BOOTSTRAP_PID !== String(parent)) return;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    onGone();
  }, 200);
  timer.unref();
}
