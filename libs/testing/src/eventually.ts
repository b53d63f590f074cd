const PAUSE_MS = 100;
/**
 * Repeats `check` until it returns without throwing.
 * @throws the last failure of `check`, after `timeoutMs` milliseconds: it only bounds a failure, so it is the same on any machine
 */
export async function eventually<T>(check: () => T | Promise<T>, timeoutMs = 60_000): Promise<T> {
  const deadline = Date.now() + timeoutMs;
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
