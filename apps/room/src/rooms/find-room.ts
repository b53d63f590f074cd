import { Injectable } from '@nestjs/common';
import { AppError, getRoom, getRoomStatus, roomRpc, type RoomStatus, type RpcInput } from '@classroom/contracts';
import { Handles } from '@classroom/messaging';
import { RosterRepository } from './roster.repository.js';
import { RoomReadsRepository } from './room-reads.repository.js';
import { toRoomDescription, toRoomStatus, toWholeRoom } from './room-views.js';

@Injectable()
export class FindRoom {
  constructor(
    private readonly rooms: RoomReadsRepository,
    private readonly roster: RosterRepository,
  ) {}

  @Handles(getRoomStatus)
  async getRoomStatus({ organizationId, roomId }: RpcInput<typeof getRoomStatus>): Promise<RoomStatus> {
    const room = await this.rooms.find(organizationId, roomId);
    return room ? toRoomStatus(room) : { exists: false, isActive: false, roomId };
  }

  /** @throws AppError ROOM_NOT_FOUND */
  @Handles(getRoom)
  async getRoom({ organizationId, roomId }: RpcInput<typeof getRoom>) {
    const room = await this.rooms.findWhole(organizationId, roomId);
    if (!room) throw new AppError('ROOM_NOT_FOUND');
    return toWholeRoom(room, await this.roster.count(room.sid));
  }

  /** @throws AppError ROOM_NOT_FOUND */
  @Handles(roomRpc.locate)
  async locate({ sid }: RpcInput<typeof roomRpc.locate>) {
    const room = await this.rooms.findBySid(sid);
    if (!room) throw new AppError('ROOM_NOT_FOUND');
    return { organizationId: room.organizationId, roomId: room.roomId, isOver: room.state === 'finished' };
  }

  /** @throws AppError ROOM_NOT_FOUND */
  @Handles(roomRpc.describe)
  async describe({ organizationId, roomId, uid }: RpcInput<typeof roomRpc.describe>) {
    const room = await this.rooms.find(organizationId, roomId);
    if (!room) throw new AppError('ROOM_NOT_FOUND');
    return toRoomDescription(room, await this.rooms.classFacts(room.sid, uid));
  }
}
