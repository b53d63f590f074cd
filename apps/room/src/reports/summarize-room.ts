import { Injectable } from '@nestjs/common';
import { AppError, creditsOf, getRoomSummary, type RpcInput, type RpcOutput } from '@classroom/contracts';
import { Handles } from '@classroom/messaging';
import { Database } from '@classroom/persistence';
import { LiveKitClock } from '../livekit/livekit-clock.js';
import { RoomsRepository } from '../rooms/rooms.repository.js';

/** What a class came to, straight from its connections: right the moment the class ends. */
@Injectable()
export class SummarizeRoom {
  constructor(
    private readonly database: Database,
    private readonly rooms: RoomsRepository,
    private readonly livekitClock: LiveKitClock,
  ) {}

  /** @throws AppError ROOM_NOT_FOUND */
  @Handles(getRoomSummary)
  async execute({ organizationId, roomId }: RpcInput<typeof getRoomSummary>): Promise<RpcOutput<typeof getRoomSummary>> {
    const room = await this.rooms.find(organizationId, roomId);
    if (!room) throw new AppError('ROOM_NOT_FOUND');
    const [totals] = await this.database.query<{ seconds: number; people: number }>(
      `SELECT coalesce(sum(greatest(0, extract(epoch FROM coalesce(left_at, to_timestamp($2)) - joined_at))), 0)::float8 AS seconds,
              count(DISTINCT uid)::int AS people
         FROM connections WHERE sid = $1 AND is_counted`,
      [room.sid, this.livekitClock.seconds()],
    );
    const { seconds, people } = totals ?? { seconds: 0, people: 0 };
    return {
      roomId,
      roomName: room.title,
      totalCredits: creditsOf(seconds),
      totalParticipants: people,
      avgStay: people === 0 ? 0 : Math.round(seconds / people),
      timestamps: { startedAt: room.startedAt?.toISOString() ?? null, endedAt: room.endedAt?.toISOString() ?? null },
      status: room.state === 'finished' ? 'finished' : 'live',
    };
  }
}
