import { logger } from './logger.js';
import { Loop } from './loop.js';

/** A lease is renewed so many times in its duration: one renewal that fails ends nothing. */
const RENEWALS = 5;

/** The lease of this work is over: another worker has it, or may take it. The work must write nothing more. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

/**
 * The right of one process to work on something, as a time in a row until which no other process takes it. While `during` runs, it renews the lease.
 * Its signal is aborted when another process has it, when it expired because it could not be renewed, or when `end` is called.
 */
export class Lease {
  private readonly over = new AbortController();
  private readonly ms: number;
  private readonly renewMs: number;
  private readonly loop: Loop;
  /** By the monotonic clock: a clock that is set neither shortens nor extends a lease. */
  private heldUntil: number;

  /**
   * @param name in logs and metrics
   * @param duration of the lease that was just taken, and the time between two renewals, if something else is written with them
   * @param renew moves the end of the lease in the row to `ms` from now. @returns whether this process still has it
   */
  constructor(
    name: string,
    duration: { ms: number; renewMs?: number },
    private readonly renew: () => Promise<boolean>,
  ) {
    this.ms = duration.ms;
    this.heldUntil = performance.now() + this.ms;
    this.renewMs = duration.renewMs ?? this.ms / RENEWALS;
    this.loop = new Loop(name, this.renewMs, () => this.extend());
  }

  get signal(): AbortSignal {
    return this.over.signal;
  }

  /** Runs `work` and renews the lease until it is done. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.loop.start(this.renewMs);
    try {
      return await work();
    } finally {
      await this.loop.stop();
    }
  }

  /** Renews the lease now, because what is written with it has changed. */
  wake(): void {
    this.loop.wake();
  }

  /** Renews the lease before a step that must not be done twice. @throws the reason if the lease is over */
  async confirm(): Promise<void> {
    await this.extend();
    this.signal.throwIfAborted();
  }

  end(reason: Error): void {
    this.over.abort(reason);
  }

  private async extend(): Promise<void> {
    const until = performance.now() + this.ms;
    try {
      if (!(await this.renew())) return this.end(new LeaseLost('another process has taken over'));
      this.heldUntil = until;
    } catch (error) {
      logger.warn({ err: error, lease: this.loop.name }, 'lease could not be renewed');
    }
    if (performance.now() > this.heldUntil) this.end(new LeaseLost('the lease has expired'));
  }
}
