'use strict';

const { listPids, killGroup, isAlive, ownerId } = require('./pidfile');

/** Ctrl-C reaches us from the terminal and once more through npm: what comes that close together is one wish. */
const SAME_WISH_MS = 400;

/**
 * The first signal stops in order, a later one at once.
 * @param {{ progress: import('./progress').Progress, home: string }} options
 */
function onStop({ progress, home }) {
  const controller = new AbortController();
  let firstAt = 0;
  /** @type {(value?: unknown) => void} */
  let wake = () => {};
  const asked = new Promise((resolve) => { wake = resolve; });
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
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) process.on(signal, onSignal);
  watchNpm(onSignal);
  return {
    signal: controller.signal,
    isAsked: () => firstAt > 0,
    /** One thing went wrong: what else is under way ends too. */
    fail: () => controller.abort(),
    /** Waits for the wish, then stops. @param {{ stop: () => Promise<unknown> }} [stack] */
    finished: async (stack) => {
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
 * another parent is then the message. Outside npm a parent that goes means nothing (nohup, a closed terminal's `&`).
 * @param {() => void} onGone
 */
function watchNpm(onGone) {
  if (!process.env.npm_lifecycle_event) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    onGone();
  }, 200);
  timer.unref();
}

module.exports = { onStop, watchNpm };
