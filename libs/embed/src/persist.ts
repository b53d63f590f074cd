const FIRST_MS = 500;
const MOST_MS = 5_000;

export interface PersistOptions {
  signal: AbortSignal;
  patienceMs: number;
  isFinal: (error: unknown) => boolean;
  /** If given, its `online` event ends a pause early. */
  network?: EventTarget;
}

/** Retries `work` for `patienceMs` milliseconds. @throws the last failure, or the first for which `isFinal` is true */
export async function persist<T>(work: () => Promise<T>, { signal, patienceMs, isFinal, network }: PersistOptions): Promise<T> {
  const deadline = Date.now() + patienceMs;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (isFinal(error) || signal.aborted || Date.now() > deadline) throw error;
    }
    await pause(Math.min(FIRST_MS * 2 ** (attempt - 1), MOST_MS) * spread(), signal, network);
  }
}

/** A random factor of ±20 %: otherwise a whole class reconnects at the same moment. */
export const spread = () => 0.8 + Math.random() * 0.4;

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
