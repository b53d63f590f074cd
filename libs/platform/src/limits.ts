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

/** Runs `work` for all `items`, at most `width` at the same time; the next item starts as soon as one is done. `work` must not throw. */
export async function inParallel<T>(items: readonly T[], width: number, work: (item: T) => Promise<void>): Promise<void> {
  const left = [...items];
  const place = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, place));
}

/** Limits an LRUCache to so many entries. Its own option `max` allocates memory for all of them at once. */
export const atMost = (entries: number) => ({ maxSize: entries, sizeCalculation: () => 1 });
