import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type BaseConfig } from './config.js';

/** The time that a process still has after it was asked to stop. */
@Injectable()
export class ShutdownDeadline {
  private until: number | undefined;

  constructor(@Inject(CONFIG) private readonly config: Pick<BaseConfig, 'DRAIN_SECONDS'>) {}

  /** Starts the grace period; the process accepts no new work from now on. A second call has no effect. */
  begin(): void {
    this.until ??= Date.now() + this.config.DRAIN_SECONDS * 1000;
  }

  get hasBegun(): boolean {
    return this.until !== undefined;
  }

  /** How many milliseconds work may still continue, so that `reserveMs` remain to end it in order; 0 if none are left. */
  remaining(reserveMs: number): number {
    this.begin();
    return Math.max(0, (this.until ?? 0) - Date.now() - reserveMs);
  }
}
