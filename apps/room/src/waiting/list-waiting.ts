import { Injectable } from '@nestjs/common';
import { AppError, listWaiting, type RpcInput, type RpcOutput } from '@classroom/contracts';
import { Handles } from '@classroom/messaging';
import { WaitingRoomList } from '../participants/waiting-room-list.js';
import { RoomReadsRepository } from '../rooms/room-reads.repository.js';
import { settingsOf } from '../schema/settings.js';

@Injectable()
export class ListWaiting {
  constructor(
    private readonly rooms: RoomReadsRepository,
    private readonly waiting: WaitingRoomList,
  ) {}

  /** Empty for a class that is over. @throws AppError ROOM_NOT_FOUND */
  @Handles(listWaiting)
  async execute({ organizationId, roomId }: RpcInput<typeof listWaiting>): Promise<RpcOutput<typeof listWaiting>> {
    const room = await this.rooms.find(organizationId, roomId);
    if (!room) throw new AppError('ROOM_NOT_FOUND');
    const isOpen = room.state !== 'finished' && settingsOf(room).waitingRoom !== 'OFF';
    return { participants: isOpen ? await this.waiting.list(room.sid) : [] };
  }
}
