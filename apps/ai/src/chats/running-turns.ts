import { Injectable } from '@nestjs/common';
import { AppError } from '@classroom/contracts';
import { Grace, InBackground, type Task } from '@classroom/platform';
import { Afterwork } from './afterwork.js';

/** Milliseconds kept back for the end of a drain: storing the usage of the aborted answers, and the work that follows an answer. */
const END_MS = 11_000;

/** Tracks the running answers, so that a draining process lets them finish. */
@Injectable()
@InBackground('any')
export class LiveTurns implements Task {
  private readonly underway = new Map<AbortController, Promise<void>>();

  constructor(
    private readonly afterwork: Afterwork,
    private readonly grace: Grace,
  ) {}

  start(): void {}

  async stop(): Promise<void> {
    const timer = setTimeout(() => {
      for (const cut of this.underway.keys()) cut.abort(new AppError('SERVICE_UNAVAILABLE'));
    }, this.grace.leftMs(END_MS));
    await Promise.all(this.underway.values());
    clearTimeout(timer);
    await this.afterwork.stop();
  }

  /**
   * @param cut aborts the answer when the process can wait no longer
   * @returns a callback that reports the end of the answer
   */
  begin(cut: AbortController): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.underway.set(cut, promise);
    return () => {
      this.underway.delete(cut);
      resolve();
    };
  }
}
