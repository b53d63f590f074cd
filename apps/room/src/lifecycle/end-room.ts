import { Injectable } from '@nestjs/common';
import { AppError, deleteRoom, type RpcInput, type RpcOutput } from '@classroom/contracts';
import { Handles } from '@classroom/messaging';
import { Database } from '@classroom/persistence';
import { annotate, failpoint } from '@classroom/platform';
import { FinishRoom } from './finish-room.js';
import { RoomsRepository } from '../rooms/rooms.repository.js';

@Injectable()
export class EndRoom {
  constructor(
    private readonly database: Database,
    private readonly rooms: RoomsRepository,
    private readonly finishRoom: FinishRoom,
  ) {}

  /** @throws AppError ROOM_NOT_FOUND, ROOM_ENDED */
  @Handles(deleteRoom)
  async execute({ organizationId, roomId }: RpcInput<typeof deleteRoom>): Promise<RpcOutput<typeof deleteRoom>> {
    const { room, ended } = await this.database.transaction(async (tx) => {
      const locked = await this.rooms.lock(tx, organizationId, roomId);
      if (!locked) throw new AppError('ROOM_NOT_FOUND');
      annotate({ 'room.sid': locked.sid });
      if (locked.state === 'finished') throw new AppError('ROOM_ENDED');
      return { room: locked, ended: await this.finishRoom.execute(tx, locked, 'deleted') };
    });
    await failpoint('room.end.after-commit');
    await this.finishRoom.closeMedia(room);
    return ended;
  }
}
