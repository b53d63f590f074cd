import { context, ROOT_CONTEXT } from '@opentelemetry/api';
import { logger } from './logger.js';
import { outsideOrganizations } from './organization-scope.js';
import { observedGauge } from './telemetry/observed-gauge.js';

const running = new Set<Loop>();

/** Exports how late each running loop is: of several with one name, the latest. Call it once per process. */
export function observeLoops(): void {
  observedGauge('classroom_loop_overdue_seconds', 'By how much a loop is late to complete a run without an error', () => {
    const byName = new Map<string, number>();
    for (const { name, overdueSeconds } of running) byName.set(name, Math.max(overdueSeconds, byName.get(name) ?? 0));
    return [...byName].map(([loop, value]) => ({ value, attributes: { loop } }));
  });
}

/** Work that loops have begun and do not wait for. */
const begun = new Set<Promise<unknown>>();

/** Makes `runLoops` wait for work that a loop begins and does not wait for. */
export function trackWork(work: Promise<unknown>): void {
  begun.add(work);
  void work.finally(() => begun.delete(work)).catch(() => undefined);
}

/** Runs every loop of this process. Resolves when each has ended a run that began after the call, and what the runs began is done. */
export async function runLoops(): Promise<void> {
  await Promise.all([...running].map((loop) => loop.runNow()));
  await Promise.allSettled(begun);
}

/**
 * Background work that repeats: one run at a time, `intervalMs` after the last one ended, or when woken. A run that
 * fails is logged and retried at the next run.
 */
export class Loop {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private wanted = false;
  private stopped = true;
  /** When a run last completed without an error, in milliseconds of the process's monotonic clock; first the time of the start. */
  private completedAt = 0;
  private begunAt = -Infinity;
  /** Called at the end of the next run to begin. */
  private readonly waiting: (() => void)[] = [];

  /**
   * @param name of the work in logs and metrics: a word of the code, not of an object that it works on
   * @param minIntervalMs between the starts of two runs, however often it is woken: what arrives meanwhile shares the next run
   */
  constructor(
    readonly name: string,
    private readonly intervalMs: number,
    private readonly work: () => Promise<void>,
    private readonly minIntervalMs = 0,
  ) {}

  /** How much longer than its interval the loop has not completed a run without an error. */
  get overdueSeconds(): number {
    return Math.max(performance.now() - this.completedAt - this.intervalMs, 0) / 1_000;
  }

  /** @param afterMs when the first run begins */
  start(afterMs = 0): void {
    this.stopped = false;
    this.completedAt = performance.now();
    running.add(this);
    this.schedule(afterMs);
  }

  /** Runs the work now, or once more right after the current run. */
  wake(): void {
    if (this.stopped) return;
    if (this.running) this.wanted = true;
    else this.schedule(0);
  }

  /** Resolves when a run that began after the call has ended, or when the loop is stopped. */
  runNow(): Promise<void> {
    return new Promise((resolve) => {
      if (this.stopped) return resolve();
      this.waiting.push(resolve);
      this.wake();
    });
  }

  /** Resolves when the current run has ended; no run begins after that. */
  async stop(): Promise<void> {
    this.stopped = true;
    running.delete(this);
    clearTimeout(this.timer);
    await this.running;
    for (const resolve of this.waiting.splice(0)) resolve();
  }

  private schedule(delayMs: number): void {
    clearTimeout(this.timer);
    const untilAllowedMs = this.begunAt + this.minIntervalMs - performance.now();
    const begin = () => setTimeout(() => void (this.running = this.turn()), Math.max(delayMs, untilAllowedMs));
    // The work belongs neither to the trace nor to the organization of the request that woke the loop.
    this.timer = context.with(ROOT_CONTEXT, () => outsideOrganizations(begin));
  }

  private async turn(): Promise<void> {
    this.wanted = false;
    this.begunAt = performance.now();
    const waiting = this.waiting.splice(0);
    try {
      await this.work();
      this.completedAt = performance.now();
    } catch (error) {
      logger.warn({ err: error, loop: this.name }, 'background work failed; will retry');
    }
    this.running = undefined;
    for (const resolve of waiting) resolve();
    if (!this.stopped) this.schedule(this.wanted ? 0 : this.intervalMs);
  }
}
