const FIRST_MS = 500;
const MOST_MS = 5_000;

/** Half a second, doubling to five, give or take a fifth: a whole class comes back at once otherwise. */
export function backOff(attempt: number): number {
  return Math.min(FIRST_MS * 2 ** (attempt - 1), MOST_MS) * (0.8 + Math.random() * 0.4);
}

/** Ends early when the network comes back or `signal` aborts. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      window.removeEventListener('online', done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    window.addEventListener('online', done);
    signal.addEventListener('abort', done);
    if (signal.aborted) done();
  });
}
