import { Injectable } from '@nestjs/common';
import { Clock, observedGauge } from '@classroom/platform';
import { AuditRepository } from './audit.repository.js';

/** Measures rooms that are finished but not settled, because billing's sessions do not match the room's final totals yet. */
@Injectable()
export class SessionDrift {
  constructor(
    private readonly repository: AuditRepository,
    private readonly clock: Clock,
  ) {
    observedGauge(
      'classroom_billing_session_drift_seconds',
      'How long the class has been over whose sessions have differed longest from what its room says',
      async () => [{ value: await this.seconds() }],
    );
  }

  async seconds(): Promise<number> {
    const since = await this.repository.findUnsettledSince();
    return since ? Math.max((this.clock.now().getTime() - since.getTime()) / 1000, 0) : 0;
  }
}
