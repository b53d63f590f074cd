import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, observedGauge } from '@classroom/platform';
import type { RecorderConfig } from '../config.js';

/** Counts captures against the configured capacity. */
@Injectable()
export class Slots {
  private taken = 0;

  constructor(@Inject(CONFIG) private readonly config: RecorderConfig) {
    observedGauge('classroom_recorder_slots', 'Captures this process takes at once', () => [{ value: config.RECORDER_SLOTS }]);
    observedGauge('classroom_recorder_free_slots', 'Captures it could take now', () => [{ value: this.free }]);
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
