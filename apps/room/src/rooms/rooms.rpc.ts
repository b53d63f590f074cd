import { Controller } from '@nestjs/common';
import { AppError, roomRpc, type RpcInput, type RpcOutput } from '@classroom/contracts';
import { RpcHandler } from '@classroom/messaging';
import { JoinRoom } from '../joining/join-room.js';
import { CreateRoom } from './create-room.js';
import { EndRoom } from './end-room.js';
import { toStatus } from './room.row.js';
import { RoomsRepository } from './rooms.repository.js';

@Controller()
export class RoomsRpc {
  constructor(
    private readonly createRoom: CreateRoom,
    private readonly joinRoom: JoinRoom,
    private readonly endRoom: EndRoom,
    private readonly rooms: RoomsRepository,
  ) {}

  @RpcHandler(roomRpc.create)
  async create(input: RpcInput<typeof roomRpc.create>) {
    return this.createRoom.execute(input);
  }

  @RpcHandler(roomRpc.join)
  async join(input: RpcInput<typeof roomRpc.join>) {
    return this.joinRoom.execute(input);
  }

  @RpcHandler(roomRpc.status)
  async status({ organizationId, roomId }: RpcInput<typeof roomRpc.status>): Promise<RpcOutput<typeof roomRpc.status>> {
    const room = await this.rooms.find(organizationId, roomId);
    return room ? toStatus(room) : { exists: false, isActive: false, roomId };
  }

  @RpcHandler(roomRpc.end)
  async end({ organizationId, roomId }: RpcInput<typeof roomRpc.end>) {
    return this.endRoom.execute(organizationId, roomId);
  }

  @RpcHandler(roomRpc.locate)
  async locate({ sid }: RpcInput<typeof roomRpc.locate>) {
    const room = await this.rooms.findBySid(sid);
    if (!room) throw new AppError('ROOM_NOT_FOUND');
    return { organizationId: room.organizationId };
  }

  @RpcHandler(roomRpc.hasLive)
  async hasLive({ organizationId }: RpcInput<typeof roomRpc.hasLive>) {
    return { hasLive: await this.rooms.hasLive(organizationId) };
  }
}
