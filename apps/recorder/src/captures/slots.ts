import { Inject, Injectable } from '@nestjs/common';
import { metrics } from '@opentelemetry/api';
import { CONFIG } from '@classroom/platform';
import type { RecorderConfig } from '../config.js';

/** The capacity that was declared. */
@Injectable()
export class Slots {
  private taken = 0;

  constructor(@Inject(CONFIG) private readonly config: RecorderConfig) {
    const meter = metrics.getMeter('virtual-classroom');
    meter
      .createObservableGauge('classroom_recorder_slots', { description: 'Captures this process takes at once' })
      .addCallback((result) => result.observe(config.RECORDER_SLOTS));
    meter
      .createObservableGauge('classroom_recorder_free_slots', { description: 'Captures it could take now' })
      .addCallback((result) => result.observe(this.free));
  }

  get free(): number {
    return this.config.RECORDER_SLOTS - this.taken;
  }

  /** False where none is free. */
  take(): boolean {
    if (this.free <= 0) return false;
    this.taken += 1;
    return true;
  }

  release(): void {
    this.taken -= 1;
  }
}
