import { Injectable } from '@nestjs/common';
import { AppError, roomRpc, type RpcInput } from '@classroom/contracts';
import { Handles } from '@classroom/messaging';
import { RoomReadsRepository } from '../rooms/room-reads.repository.js';
import { toConnection } from './commit-presence.js';
import { ConnectionsRepository } from './connections.repository.js';

@Injectable()
export class ListConnections {
  constructor(
    private readonly rooms: RoomReadsRepository,
    private readonly connections: ConnectionsRepository,
  ) {}

  /** @throws AppError ROOM_NOT_FOUND */
  @Handles(roomRpc.connections)
  async execute({ sid, after, limit }: RpcInput<typeof roomRpc.connections>) {
    const room = await this.rooms.findBySid(sid);
    if (!room) throw new AppError('ROOM_NOT_FOUND');
    const intervals = await this.connections.page(sid, after, limit);
    return { connections: intervals.map((interval) => toConnection(room, interval)) };
  }
}
