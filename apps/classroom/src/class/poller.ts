import { ApiError } from '@classroom/page/api-error';

/** Milliseconds of a random spread: a whole class may be waiting. */
const SPREAD_MS = 2_000;
const MAX_POLL_MS = 60_000;

interface Options<T> {
  /** The request locks and changes nothing of the class. @throws ApiError */
  ask(): Promise<T>;
  /** Milliseconds between two requests, in addition to a random spread. */
  intervalMs: number;
  onAnswer?(answer: T): void;
  /** A refusal that no later request would change. */
  onRejected(error: ApiError): void;
  /** A hidden page does not ask. Default: it asks as well. */
  visibility?: { isVisible(): boolean; onVisibility(listener: () => void): () => void };
}

/** Asks the service again and again while a participant waits. */
export class Poller<T> {
  private currentRun: object | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private failures = 0;

  constructor(private readonly options: Options<T>) {
    options.visibility?.onVisibility(() => this.schedule());
  }

  start(): void {
    this.currentRun = {};
    this.failures = 0;
    this.schedule();
  }

  stop(): void {
    clearTimeout(this.timer);
    this.currentRun = undefined;
  }

  private schedule(): void {
    clearTimeout(this.timer);
    const { currentRun } = this;
    const { visibility, intervalMs } = this.options;
    if (!currentRun || visibility?.isVisible() === false) return;
    const ms = Math.min(intervalMs * 2 ** this.failures, MAX_POLL_MS) + Math.random() * SPREAD_MS;
    this.timer = setTimeout(() => void this.poll(currentRun), ms);
  }

  private async poll(run: object): Promise<void> {
    try {
      const answer = await this.options.ask();
      if (run !== this.currentRun) return;
      this.failures = 0;
      this.options.onAnswer?.(answer);
    } catch (error) {
      if (run !== this.currentRun) return;
      if (error instanceof ApiError && !error.isRetryable) {
        this.stop();
        return this.options.onRejected(error);
      }
      this.failures += 1;
    }
    if (run === this.currentRun) this.schedule();
  }
}

/** Whether the page is visible. */
export const pageVisibility = {
  isVisible: () => document.visibilityState === 'visible',
  onVisibility(listener: () => void): () => void {
    document.addEventListener('visibilitychange', listener);
    return () => document.removeEventListener('visibilitychange', listener);
  },
};
