const PAUSE_MS = 100;
/** Durations in tests assume a quiet machine. On a shared machine, as in CI, everything takes longer without being wrong. */
const SLOWNESS = process.env['CI'] ? 4 : 1;

/** @returns how long something may take on this machine if it takes `ms` on a quiet one, in milliseconds */
export const patience = (ms: number) => ms * SLOWNESS;

/**
 * Repeats `check` until it returns without throwing.
 * @throws the last failure of `check`, after `patience(timeoutMs)` milliseconds
 */
export async function eventually<T>(check: () => T | Promise<T>, timeoutMs = 10_000): Promise<T> {
  const deadline = Date.now() + patience(timeoutMs);
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await sleep(PAUSE_MS);
    }
  }
}

export const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
