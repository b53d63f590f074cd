import { Injectable } from '@nestjs/common';
import { Database } from '@classroom/persistence';
import { Clock, observedGauges } from '@classroom/platform';
import { LiveKitClock } from '../livekit/livekit-clock.js';

interface Totals {
  live: number;
  created: number;
  participants: number;
  overdue: number;
  verifiedAt: Date | null;
}

/** What the rooms' rows tell an operator. */
@Injectable()
export class RoomGauges {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly livekitClock: LiveKitClock,
  ) {
    observedGauges(
      {
        classroom_room_rooms: 'Rooms that are not finished, by state',
        classroom_room_participants: 'People connected',
        classroom_reconcile_overdue_rooms: 'Rooms whose turn to be compared with LiveKit has come and that no worker has taken yet',
        classroom_room_verified_age_seconds: 'How long ago LiveKit last confirmed who is in the room that waits longest',
      },
      () => this.read(),
    );
  }

  private async read() {
    const { live, created, participants, overdue, verifiedAt } = await this.totals();
    const age = verifiedAt ? Math.max((this.livekitClock.now().getTime() - verifiedAt.getTime()) / 1000, 0) : 0;
    return [
      { name: 'classroom_room_rooms' as const, value: live, attributes: { state: 'live' } },
      { name: 'classroom_room_rooms' as const, value: created, attributes: { state: 'created' } },
      { name: 'classroom_room_participants' as const, value: participants },
      { name: 'classroom_reconcile_overdue_rooms' as const, value: overdue },
      { name: 'classroom_room_verified_age_seconds' as const, value: age },
    ];
  }

  /** From the indexes of live rooms and of those that wait; parked ones, of which there may be many, are among the latter. */
  private async totals(): Promise<Totals> {
    const [row] = await this.database.query<Totals & Record<string, unknown>>(
      `SELECT count(*) FILTER (WHERE state = 'live')::int AS live, count(*) FILTER (WHERE state = 'created')::int AS created,
              coalesce(sum(participant_count), 0)::float8 AS participants,
              (SELECT count(*)::int FROM rooms WHERE reconcile_at <= $1 AND retry_at IS NULL) AS overdue,
              min(verified_at) FILTER (WHERE state = 'live' AND participant_count > 0) AS "verifiedAt"
         FROM rooms WHERE state IN ('live', 'created')`,
      [this.clock.wall()],
    );
    return row ?? { live: 0, created: 0, participants: 0, overdue: 0, verifiedAt: null };
  }
}
