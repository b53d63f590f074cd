import { context, ROOT_CONTEXT } from '@opentelemetry/api';
import { logger } from './logger.js';

/**
 * Background work that repeats: one run at a time, `intervalMs` after the last one ended, or immediately when woken. A run that
 * fails is logged and retried at the next run.
 */
export class Loop {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private wanted = false;
  private stopped = true;

  constructor(
    private readonly name: string,
    private readonly intervalMs: number,
    private readonly work: () => Promise<void>,
  ) {}

  start(): void {
    this.stopped = false;
    this.schedule(0);
  }

  /** Runs the work now, or once more right after the current run. */
  wake(): void {
    if (this.stopped) return;
    if (this.running) this.wanted = true;
    else this.schedule(0);
  }

  /** Resolves when the current run has ended; no run begins after that. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.running;
  }

  private schedule(delayMs: number): void {
    clearTimeout(this.timer);
    // The work does not belong to the trace of the request that woke the loop.
    this.timer = context.with(ROOT_CONTEXT, () =>
      setTimeout(() => {
        this.running = this.turn();
      }, delayMs),
    );
  }

  private async turn(): Promise<void> {
    this.wanted = false;
    try {
      await this.work();
    } catch (error) {
      logger.warn({ err: error, loop: this.name }, 'background work failed; will retry');
    }
    this.running = undefined;
    if (!this.stopped) this.schedule(this.wanted ? 0 : this.intervalMs);
  }
}
