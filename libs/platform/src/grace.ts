import { Inject, Injectable } from '@nestjs/common';
import type { BaseConfig } from './config.js';
import { CONFIG } from './tokens.js';

/** The time that a process still has once it was told to stop. */
@Injectable()
export class Grace {
  private until: number | undefined;

  constructor(@Inject(CONFIG) private readonly config: Pick<BaseConfig, 'DRAIN_SECONDS'>) {}

  /** From here on nothing new is taken. A second call changes nothing. */
  begin(): void {
    this.until ??= Date.now() + this.config.DRAIN_SECONDS * 1000;
  }

  get hasBegun(): boolean {
    return this.until !== undefined;
  }

  /** How many milliseconds work may still go on, so that `keptMs` remain to end it in order; 0 where none are left. */
  leftMs(keptMs: number): number {
    this.begin();
    return Math.max(0, (this.until ?? 0) - Date.now() - keptMs);
  }
}
