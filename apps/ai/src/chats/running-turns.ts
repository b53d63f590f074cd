import { Injectable } from '@nestjs/common';
import { AppError } from '@classroom/contracts';
import { ShutdownDeadline, InBackground, type Task } from '@classroom/platform';
import { DeferredWork } from './deferred-work.js';

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
