import { Controller } from '@nestjs/common';
import { AppError, roomRpc, type RpcInput, type RpcOutput } from '@classroom/contracts';
import { fitMessage, RpcHandler } from '@classroom/messaging';
import { JoinRoom } from '../admission/join-room.js';
import { toConnection } from '../presence/commit-presence.js';
import { ConnectionsRepository } from '../presence/connections.repository.js';
import { RoomRecordings } from '../interaction/room-recordings.js';
import { CreateRoom } from '../admission/create-room.js';
import { EndRoom } from '../lifecycle/end-room.js';
import { toDescription, toStatus } from '../rooms/room.row.js';
import { SummarizeRoom } from '../reports/summarize-room.js';
import { RoomsRepository } from '../rooms/rooms.repository.js';

@Controller()
export class RoomsRpc {
  constructor(
    private readonly createRoom: CreateRoom,
    private readonly joinRoom: JoinRoom,
    private readonly endRoom: EndRoom,
    private readonly summarizeRoom: SummarizeRoom,
    private readonly rooms: RoomsRepository,
    private readonly intervals: ConnectionsRepository,
    private readonly recordings: RoomRecordings,
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
    return { organizationId: room.organizationId, roomId: room.roomId };
  }

  @RpcHandler(roomRpc.summary)
  async summary({ organizationId, roomId }: RpcInput<typeof roomRpc.summary>) {
    return this.summarizeRoom.execute(organizationId, roomId);
  }

  @RpcHandler(roomRpc.describe)
  async describe({ organizationId, roomId }: RpcInput<typeof roomRpc.describe>) {
    const room = await this.rooms.find(organizationId, roomId);
    if (!room) throw new AppError('ROOM_NOT_FOUND');
    return toDescription(room, await this.rooms.classFacts(room.sid));
  }

  @RpcHandler(roomRpc.studentNames)
  async studentNames({ organizationId, sid }: RpcInput<typeof roomRpc.studentNames>) {
    const all = await this.rooms.studentNames(organizationId, sid);
    const names = fitMessage(all);
    return { names, isComplete: names.length === all.length };
  }

  @RpcHandler(roomRpc.connections)
  async connections({ sid, after, limit }: RpcInput<typeof roomRpc.connections>) {
    const room = await this.rooms.findBySid(sid);
    if (!room) throw new AppError('ROOM_NOT_FOUND');
    const intervals = await this.intervals.page(sid, after, limit);
    return { connections: intervals.map((interval) => toConnection(room, interval)) };
  }

  @RpcHandler(roomRpc.noteRecording)
  async noteRecording(input: RpcInput<typeof roomRpc.noteRecording>) {
    await this.recordings.apply(input);
    return { isLive: (await this.rooms.findBySid(input.sid))?.state === 'live' };
  }

  @RpcHandler(roomRpc.finishedSince)
  async finishedSince({ after, afterSid, before, limit }: RpcInput<typeof roomRpc.finishedSince>) {
    return { rooms: await this.rooms.finishedSince({ at: new Date(after), sid: afterSid }, new Date(before), limit) };
  }

  @RpcHandler(roomRpc.hasLive)
  async hasLive({ organizationId }: RpcInput<typeof roomRpc.hasLive>) {
    return { hasLive: await this.rooms.hasLive(organizationId) };
  }
}
