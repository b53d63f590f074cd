import { Injectable } from '@nestjs/common';
import { AppError } from '@classroom/contracts';
import { Background, type Task } from '@classroom/platform';
import { Afterwork } from './afterwork.js';

/** Of the time that a process has to end, most: then the answers are cut off, and what they used is written. */
const GRACE_MS = 14_000;

/** The answers that are on their way, so that an orderly stop lets them end. */
@Injectable()
export class LiveTurns implements Task {
  private readonly underway = new Map<AbortController, Promise<void>>();

  constructor(
    background: Background,
    private readonly afterwork: Afterwork,
  ) {
    background.add(this, 'any');
  }

  start(): void {}

  async stop(): Promise<void> {
    const timer = setTimeout(() => {
      for (const cut of this.underway.keys()) cut.abort(new AppError('SERVICE_UNAVAILABLE'));
    }, GRACE_MS);
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
