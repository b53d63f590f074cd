/**
 * The pause between two checks, in milliseconds, is a share of the time waited so far: a short wait ends early, and a long one leaves the
 * processor to what it waits for.
 */
const SHORTEST_PAUSE_MS = 25;
const LONGEST_PAUSE_MS = 400;
const PAUSE_SHARE = 0.15;

/**
 * Repeats `check` until it returns without throwing.
 * @throws the last failure of `check`, after `timeoutMs` milliseconds: it only bounds a failure, so it is the same on any machine
 */
export async function eventually<T>(check: () => T | Promise<T>, timeoutMs = 60_000): Promise<T> {
  const began = Date.now();
  for (;;) {
    try {
      return await check();
    } catch (error) {
      const waited = Date.now() - began;
      if (waited > timeoutMs) throw error;
      await sleep(Math.min(LONGEST_PAUSE_MS, Math.max(SHORTEST_PAUSE_MS, waited * PAUSE_SHARE)));
    }
  }
}

export const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
