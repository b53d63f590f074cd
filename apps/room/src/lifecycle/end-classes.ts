import { Injectable } from '@nestjs/common';
import { AppError, closingRpc, type RpcInput } from '@classroom/contracts';
import { Handles } from '@classroom/messaging';
import { inParallel } from '@classroom/platform';
import { RoomReadsRepository } from '../rooms/room-reads.repository.js';
import { EndRoom } from './end-room.js';

/** Of one call, which has to be answered within its timeout: LiveKit is given 2.5 s for each class. */
const BATCH = 20;
const CONCURRENCY = 4;

/** Ends the classes of an organization that is being erased. */
@Injectable()
export class EndClasses {
  constructor(
    private readonly rooms: RoomReadsRepository,
    private readonly endRoom: EndRoom,
  ) {}

  @Handles(closingRpc.endClasses)
  async execute({ organizationId }: RpcInput<typeof closingRpc.endClasses>) {
    const roomIds = await this.rooms.listOpen(organizationId, BATCH);
    await inParallel(roomIds, CONCURRENCY, (roomId) => this.end(organizationId, roomId));
    return { isDone: roomIds.length === 0 };
  }

  private async end(organizationId: string, roomId: string): Promise<void> {
    try {
      await this.endRoom.execute({ organizationId, roomId });
    } catch (error) {
      // Ended by another call, or not yet created in LiveKit: the next call looks again.
      const isOver = error instanceof AppError && (error.code === 'ROOM_ENDED' || error.code === 'ROOM_NOT_FOUND');
      if (!isOver) throw error;
    }
  }
}
