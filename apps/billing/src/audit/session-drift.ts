import { Injectable } from '@nestjs/common';
import { Database } from '@classroom/persistence';
import { Clock, observedGauge } from '@classroom/platform';

/** Classes that are over and not charged to the end, because their sessions here are not yet what the room says they came to. */
@Injectable()
export class SessionDrift {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {
    observedGauge('classroom_billing_session_drift_seconds', 'How long the class has been over whose sessions have differed longest from what its room says', async () => [
      { value: await this.seconds() },
    ]);
  }

  async seconds(): Promise<number> {
    const [row] = await this.database.query<{ since: Date | null }>(
      'SELECT min(finished_at) AS since FROM room_meters WHERE finished_at IS NOT NULL AND settled_at IS NULL',
    );
    return row?.since ? Math.max((this.clock.now().getTime() - row.since.getTime()) / 1000, 0) : 0;
  }
}
