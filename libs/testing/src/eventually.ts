const PAUSE_MS = 100;
/** Times in tests are for a quiet machine. Where neighbours share it, as in CI, all take longer and nothing is wrong. */
const SLOWNESS = process.env['CI'] ? 4 : 1;

/** @returns how long something that takes `ms` on a quiet machine may take on this one, in ms */
export const patience = (ms: number) => ms * SLOWNESS;

/** Repeats `check` until it returns without throwing. @throws its last failure after `patience(timeoutMs)` */
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
