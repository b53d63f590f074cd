import { Injectable } from '@nestjs/common';
import { AppError } from '@classroom/contracts';
import { logger, ShutdownDeadline, InBackground, type Task } from '@classroom/platform';

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

/** Milliseconds kept back for the end of a drain: storing the usage of the aborted answers, and the work that follows an answer. */
const SHUTDOWN_RESERVE_MS = 11_000;

/** Tracks the running answers, so that a draining process lets them finish. */
@Injectable()
@InBackground('any')
export class RunningTurns implements Task {
  private readonly inProgress = new Map<AbortController, Promise<void>>();

  constructor(
    private readonly deferredWork: DeferredWork,
    private readonly grace: ShutdownDeadline,
  ) {}

  start(): void {}

  async stop(): Promise<void> {
    const timer = setTimeout(() => {
      for (const controller of this.inProgress.keys()) controller.abort(new AppError('SERVICE_UNAVAILABLE'));
    }, this.grace.remaining(SHUTDOWN_RESERVE_MS));
    await Promise.all(this.inProgress.values());
    clearTimeout(timer);
    await this.deferredWork.stop();
  }

  /**
   * @param cut aborts the answer when the process can wait no longer
   * @returns a callback that reports the end of the answer
   */
  track(controller: AbortController): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.inProgress.set(controller, promise);
    return () => {
      this.inProgress.delete(controller);
      resolve();
    };
  }
}
