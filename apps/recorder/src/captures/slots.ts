import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, observedGauge } from '@classroom/platform';
import type { RecorderConfig } from '../config.js';

/** Counts captures against the configured capacity. */
@Injectable()
export class Slots {
  private taken = 0;
  private isClosed = false;

  constructor(@Inject(CONFIG) private readonly config: RecorderConfig) {
    observedGauge('classroom_recorder_slots', 'Captures this process takes at once', () => [{ value: this.capacity }]);
    observedGauge('classroom_recorder_free_slots', 'Captures it could take now', () => [{ value: Math.max(this.free, 0) }]);
  }

  get free(): number {
    return this.capacity - this.taken;
  }

  /** A recorder that is being stopped has no slots, so that an autoscaler does not count its captures as work for new recorders. */
  close(): void {
    this.isClosed = true;
  }

  private get capacity(): number {
    return this.isClosed ? 0 : this.config.RECORDER_SLOTS;
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
