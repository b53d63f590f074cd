const MIN_DELAY_MS = 500;
const MAX_DELAY_MS = 5_000;

export interface RetryOptions {
  signal: AbortSignal;
  timeoutMs: number;
  isFinal: (error: unknown) => boolean;
  /** If given, its `online` event ends a pause early. */
  network?: EventTarget;
}

/** Retries `operation` for `timeoutMs` milliseconds. @throws the last failure, or the first for which `isFinal` is true */
export async function retryWithBackoff<T>(operation: () => Promise<T>, { signal, timeoutMs, isFinal, network }: RetryOptions): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await operation();
    } catch (error) {
      if (isFinal(error) || signal.aborted || Date.now() > deadline) throw error;
    }
    await pause(Math.min(MIN_DELAY_MS * 2 ** (attempt - 1), MAX_DELAY_MS) * jitter(), signal, network);
  }
}

/** A random factor of ±20 %: otherwise a whole class reconnects at the same moment. */
export const jitter = () => 0.8 + Math.random() * 0.4;

function pause(ms: number, signal: AbortSignal, network?: EventTarget): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      network?.removeEventListener('online', done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    network?.addEventListener('online', done);
    signal.addEventListener('abort', done);
    if (signal.aborted) done();
  });
}
