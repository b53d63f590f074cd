import { Injectable } from '@nestjs/common';
import { Clock, observedGauge } from '@classroom/platform';
import { CopiesRepository } from '../copies/copies.repository.js';

@Injectable()
export class CopyGauges {
  constructor(copies: CopiesRepository, clock: Clock) {
    observedGauge(
      'classroom_recording_pending_copies',
      'Recordings whose copy to the bucket of their organization waits or runs',
      async () => [{ value: (await copies.summarize(clock.now()))?.pending ?? 0 }],
    );
  }
}
