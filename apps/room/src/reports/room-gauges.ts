import { Injectable } from '@nestjs/common';
import { Clock, observedGauges } from '@classroom/platform';
import { LiveKitClock } from '../livekit/livekit-clock.js';
import { RoomTotalsRepository } from './room-list.repository.js';

/** Metrics from the rooms' rows. */
@Injectable()
export class RoomGauges {
  constructor(
    private readonly totals: RoomTotalsRepository,
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
    const { live, created, participants, overdue, verifiedAt } = await this.totals.read(this.clock.wall());
    const age = verifiedAt ? Math.max((this.livekitClock.now().getTime() - verifiedAt.getTime()) / 1000, 0) : 0;
    return [
      { name: 'classroom_room_rooms' as const, value: live, attributes: { state: 'live' } },
      { name: 'classroom_room_rooms' as const, value: created, attributes: { state: 'created' } },
      { name: 'classroom_room_participants' as const, value: participants },
      { name: 'classroom_reconcile_overdue_rooms' as const, value: overdue },
      { name: 'classroom_room_verified_age_seconds' as const, value: age },
    ];
  }
}
