import { Injectable } from '@nestjs/common';
import { Database } from '@classroom/persistence';
import { observedGauges } from '@classroom/platform';
import { LiveKitClock } from '../livekit/livekit-clock.js';

interface Totals {
  live: number;
  created: number;
  participants: number;
  verifiedAt: Date | null;
}

/** What the rooms' rows tell an operator. */
@Injectable()
export class RoomGauges {
  constructor(
    private readonly database: Database,
    private readonly livekitClock: LiveKitClock,
  ) {
    observedGauges(
      {
        classroom_room_rooms: 'Rooms that are not finished, by state',
        classroom_room_participants: 'People connected',
        classroom_room_verified_age_seconds: 'How long ago LiveKit last confirmed who is in the room that waits longest',
      },
      () => this.read(),
    );
  }

  private async read() {
    const { live, created, participants, verifiedAt } = await this.totals();
    const age = verifiedAt ? Math.max((this.livekitClock.now().getTime() - verifiedAt.getTime()) / 1000, 0) : 0;
    return [
      { name: 'classroom_room_rooms' as const, value: live, attributes: { state: 'live' } },
      { name: 'classroom_room_rooms' as const, value: created, attributes: { state: 'created' } },
      { name: 'classroom_room_participants' as const, value: participants },
      { name: 'classroom_room_verified_age_seconds' as const, value: age },
    ];
  }

  /** From the indexes of live rooms and of those that wait; parked ones, of which there may be many, are among the latter. */
  private async totals(): Promise<Totals> {
    const [row] = await this.database.query<Totals & Record<string, unknown>>(
      `SELECT count(*) FILTER (WHERE state = 'live')::int AS live, count(*) FILTER (WHERE state = 'created')::int AS created,
              coalesce(sum(participant_count), 0)::float8 AS participants,
              min(verified_at) FILTER (WHERE state = 'live' AND participant_count > 0) AS "verifiedAt"
         FROM rooms WHERE state IN ('live', 'created')`,
    );
    return row ?? { live: 0, created: 0, participants: 0, verifiedAt: null };
  }
}
