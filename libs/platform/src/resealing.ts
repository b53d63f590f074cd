import type { Task } from './background.js';
import { logger } from './logger.js';
import { Loop } from './loop.js';
import { UnreadableSecret } from './secret-cipher.js';

/** Milliseconds. It repeats, because during a rollout processes that are not replaced yet still seal with the former secret. */
const INTERVAL_MS = 600_000;
const PAGE = 500;

/** Stored rows with sealed secrets. */
export interface SealedRows<R> {
  /** At most `limit` rows behind `last` in a fixed order; the first ones if it is undefined. */
  page(last: R | undefined, limit: number): Promise<readonly R[]>;
  /** Seals again what another secret than the first one sealed. @returns how many secrets @throws UnreadableSecret */
  reseal(row: R): Promise<number>;
}

/** While an installation's secret is rotated, seals everything stored with its first value again. Afterwards the other values may be removed. */
export class Resealing<R> implements Task {
  private readonly loop: Loop | undefined;

  /** @param secrets values of the installation's secret: with a single one there is nothing to do */
  constructor(
    private readonly name: string,
    secrets: readonly string[],
    private readonly rows: SealedRows<R>,
  ) {
    if (secrets.length > 1) this.loop = new Loop(`reseal-${name}`, INTERVAL_MS, () => this.run().then(() => undefined));
  }

  start(): void {
    this.loop?.start();
  }

  async stop(): Promise<void> {
    await this.loop?.stop();
  }

  /** @returns how many secrets were sealed again, and how many rows have one that no value opens */
  async run(): Promise<{ sealed: number; unreadable: number }> {
    const counts = { sealed: 0, unreadable: 0 };
    for (let page = await this.rows.page(undefined, PAGE); page.length > 0; page = await this.rows.page(page.at(-1), PAGE)) {
      for (const row of page) {
        try {
          counts.sealed += await this.rows.reseal(row);
        } catch (error) {
          if (!(error instanceof UnreadableSecret)) throw error;
          counts.unreadable += 1;
        }
      }
    }
    logger.info({ ...counts, secrets: this.name }, 'stored secrets sealed with the first value of the installation’s secret');
    return counts;
  }
}
