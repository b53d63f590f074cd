import { Injectable } from '@nestjs/common';
import { logger } from '@classroom/platform';

const MAX_DURATION_MS = 60_000;
/** Milliseconds that a stopping process waits for running work before it aborts it. */
const GRACE_MS = 6_000;

/** Runs work that follows an answer in the background; no caller waits for it. The work may fail: nothing depends on it. */
@Injectable()
export class DeferredWork {
  private readonly inProgress = new Set<Promise<void>>();
  private readonly shutdown = new AbortController();

  /** Must be called when no caller adds work any longer. */
  async stop(): Promise<void> {
    const timer = setTimeout(() => this.shutdown.abort(), GRACE_MS);
    await Promise.all(this.inProgress);
    clearTimeout(timer);
  }

  add(name: string, work: (signal: AbortSignal) => Promise<void>): void {
    const signal = AbortSignal.any([this.shutdown.signal, AbortSignal.timeout(MAX_DURATION_MS)]);
    const done: Promise<void> = work(signal)
      .catch((error: unknown) => logger.warn({ err: error, work: name }, 'deferred work failed'))
      .finally(() => this.inProgress.delete(done));
    this.inProgress.add(done);
  }
}
