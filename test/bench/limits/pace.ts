import { setTimeout as sleep } from 'node:timers/promises';

/** Starts `work` a given number of times per second, evenly and in an open loop: slow work does not delay what follows. */
export async function evenly<T>(
  { seconds, perSecond }: { seconds: number; perSecond: number },
  work: (n: number) => Promise<T>,
): Promise<T[]> {
  const begun = performance.now();
  const under = [];
  for (let n = 0; n < seconds * perSecond; n += 1) {
    under.push(work(n));
    await sleep(Math.max(0, begun + ((n + 1) * 1000) / perSecond - performance.now()));
  }
  return Promise.all(under);
}
