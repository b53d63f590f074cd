import { type ApiClient, sleep } from '@classroom/testing';

/** Within the quota of 240 a minute. */
const EVERY_MS = 300;

interface Asked {
  status: number;
  ms: number;
}

/** Another organization, which goes on asking while something happens that is none of its business. */
export class Neighbour {
  constructor(private readonly apis: readonly ApiClient[]) {}

  /** Every answer, the first one before `work` begins and one after it has ended. */
  async during(work: () => Promise<unknown>): Promise<Asked[]> {
    const asked: Promise<Asked>[] = [this.ask(0)];
    await asked[0];
    const working = work();
    const goesOn = () => Promise.race([sleep(EVERY_MS).then(() => true), working.then(() => false, () => false)]);
    do asked.push(this.ask(asked.length));
    while (await goesOn());
    asked.push(this.ask(asked.length));
    await working;
    return Promise.all(asked);
  }

  private async ask(n: number): Promise<Asked> {
    const began = performance.now();
    const { status } = await (this.apis[n % this.apis.length] as ApiClient).get('/v1/room/x/status');
    return { status, ms: performance.now() - began };
  }
}

/** Milliseconds, whole. */
export function p99Of(asked: readonly Asked[]): number {
  const sorted = asked.map(({ ms }) => ms).sort((a, b) => a - b);
  return Math.round(sorted[Math.ceil(sorted.length * 0.99) - 1] ?? 0);
}
