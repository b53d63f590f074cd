import { Injectable } from '@nestjs/common';
import { AppError, engagementRpc, type RpcInput, type RpcOutput } from '@classroom/contracts';
import { Handles } from '@classroom/messaging';
import { cursorOf } from '@classroom/persistence';
import { z } from 'zod';
import { LiveKitClock } from '../livekit/livekit-clock.js';
import { RoomReadsRepository } from '../rooms/room-reads.repository.js';
import { EngagementRepository } from './engagement.repository.js';
import { toEngagement } from './summarize-engagement.js';

/** The last uid of a page. */
const cursors = cursorOf(z.string().max(128));

/** How everyone took part in a class, for the organization's backend. */
@Injectable()
export class ListEngagement {
  constructor(
    private readonly rooms: RoomReadsRepository,
    private readonly engagement: EngagementRepository,
    private readonly livekitClock: LiveKitClock,
  ) {}

  /** In the order of uids. @throws AppError ROOM_NOT_FOUND, VALIDATION_FAILED (cursor) */
  @Handles(engagementRpc.page)
  async execute(input: RpcInput<typeof engagementRpc.page>): Promise<RpcOutput<typeof engagementRpc.page>> {
    const { organizationId, roomId, cursor, limit } = input;
    const after = cursor === undefined ? '' : cursors.decode(cursor);
    const room = await this.rooms.find(organizationId, roomId);
    if (!room) throw new AppError('ROOM_NOT_FOUND');
    const rows = await this.engagement.page(room.sid, after, this.livekitClock.seconds(), limit + 1);
    const shown = rows.slice(0, limit);
    const last = rows.length > limit ? shown.at(-1) : undefined;
    return { sid: room.sid, participants: shown.map(toEngagement), nextCursor: last ? cursors.encode(last.uid) : null };
  }
}
