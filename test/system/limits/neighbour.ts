import { type ApiClient, sleep } from '@classroom/testing';

/** Interval in milliseconds, within the quota of 240 requests a minute. */
const EVERY_MS = 300;

/** Another organization that continues to send requests and must not be affected by `work`. */
export class Neighbour {
  constructor(private readonly apis: readonly ApiClient[]) {}

  /** @returns the status of every answer: one before `work` begins, those during it, and one after it has ended */
  async during(work: () => Promise<unknown>): Promise<number[]> {
    const asked: Promise<number>[] = [this.ask(0)];
    await asked[0];
    const working = work();
    const isWorking = () =>
      Promise.race([
        sleep(EVERY_MS).then(() => true),
        working.then(
          () => false,
          () => false,
        ),
      ]);
    do asked.push(this.ask(asked.length));
    while (await isWorking());
    asked.push(this.ask(asked.length));
    await working;
    return Promise.all(asked);
  }

  private async ask(n: number): Promise<number> {
    return (await (this.apis[n % this.apis.length] as ApiClient).get('/v1/room/x/status')).status;
  }
}
