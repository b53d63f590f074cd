import { setTimeout as sleep } from 'node:timers/promises';

const PAUSE_MS = 50;

/** Asks again until the answer is true. @returns false if it was not within `limitMs` milliseconds */
export async function isTrueWithin(limitMs: number, ask: () => Promise<boolean>): Promise<boolean> {
  const end = performance.now() + limitMs;
  while (!(await ask())) {
    if (performance.now() > end) return false;
    await sleep(PAUSE_MS);
  }
  return true;
}
