import { Injectable } from '@nestjs/common';
import { AppError } from '@classroom/contracts';
import { Grace, InBackground, type Task } from '@classroom/platform';
import { Afterwork } from './afterwork.js';

/** What remains when answers are cut off: what they used is written, and what follows an answer is done. */
const END_MS = 11_000;

/** The answers that are on their way, so that an orderly stop lets them end. */
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

  /** @param cut what ends it when the process can wait no longer. @returns what says that it is over */
  begin(cut: AbortController): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.underway.set(cut, promise);
    return () => {
      this.underway.delete(cut);
      resolve();
    };
  }
}
