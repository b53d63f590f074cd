import { Injectable } from '@nestjs/common';
import { logger } from '@classroom/platform';

const LONGEST_MS = 60_000;
/** Milliseconds that a stopping process waits for running work before it aborts it. */
const GRACE_MS = 6_000;

/** Runs work that follows an answer in the background; no caller waits for it. The work may fail: nothing depends on it. */
@Injectable()
export class Afterwork {
  private readonly underway = new Set<Promise<void>>();
  private readonly ending = new AbortController();

  /** Must be called when no caller adds work any longer. */
  async stop(): Promise<void> {
    const timer = setTimeout(() => this.ending.abort(), GRACE_MS);
    await Promise.all(this.underway);
    clearTimeout(timer);
  }

  add(name: string, work: (signal: AbortSignal) => Promise<void>): void {
    const signal = AbortSignal.any([this.ending.signal, AbortSignal.timeout(LONGEST_MS)]);
    const done: Promise<void> = work(signal)
      .catch((error: unknown) => logger.warn({ err: error, work: name }, 'deferred work failed'))
      .finally(() => this.underway.delete(done));
    this.underway.add(done);
  }
}
