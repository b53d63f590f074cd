const FIRST_MS = 500;
const MOST_MS = 5_000;

export interface PersistOptions {
  signal: AbortSignal;
  patienceMs: number;
  isFinal: (error: unknown) => boolean;
  /** Its event `online` ends a pause early. */
  network?: EventTarget;
}

/** Repeats what fails, for so long. @throws its last failure, or the first that `isFinal` */
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

/** Give or take a fifth: a whole class comes back at once otherwise. */
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
