import { setTimeout as sleep } from 'node:timers/promises';
import { timeout, TimeoutStrategy } from 'cockatiel';

const PAUSE_MS = 50;

/** @throws if `work` takes longer than `ms` milliseconds; `work` itself continues */
export const within = <T>(ms: number, work: Promise<T>): Promise<T> => timeout(ms, TimeoutStrategy.Aggressive).execute(() => work);

/** Asks again until the answer is true. @returns false if it was not within `limitMs` milliseconds */
export async function isTrueWithin(limitMs: number, ask: () => Promise<boolean>): Promise<boolean> {
  const end = performance.now() + limitMs;
  while (!(await ask())) {
    if (performance.now() > end) return false;
    await sleep(PAUSE_MS);
  }
  return true;
}
