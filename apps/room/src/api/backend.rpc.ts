import { Controller } from '@nestjs/common';
import { roomsRpc, type RpcInput } from '@classroom/contracts';
import { RpcHandler } from '@classroom/messaging';
import { ChangeRoom } from '../interaction/change-room.js';
import { ChangeRole } from '../moderation/change-role.js';
import { Mute } from '../moderation/mute.js';
import { RemoveParticipant } from '../moderation/remove-participant.js';
import { ListParticipants } from '../reports/list-participants.js';
import { ListRooms } from '../reports/list-rooms.js';

type Rpc = typeof roomsRpc;

/** What the organization's backend lists and does of its rooms. */
@Controller()
export class BackendRpc {
  constructor(
    private readonly listRooms: ListRooms,
    private readonly listParticipants: ListParticipants,
    private readonly changeRoom: ChangeRoom,
    private readonly removal: RemoveParticipant,
    private readonly muting: Mute,
    private readonly roleChange: ChangeRole,
  ) {}

  @RpcHandler(roomsRpc.list)
  async list(input: RpcInput<Rpc['list']>) {
    return this.listRooms.execute(input);
  }

  @RpcHandler(roomsRpc.change)
  async change({ organizationId, roomId, change }: RpcInput<Rpc['change']>) {
    return this.changeRoom.execute({ organizationId, roomId }, change);
  }

  @RpcHandler(roomsRpc.participants)
  async participants(input: RpcInput<Rpc['participants']>) {
    return this.listParticipants.execute(input);
  }

  @RpcHandler(roomsRpc.removeParticipant)
  async removeParticipant({ organizationId, roomId, uid }: RpcInput<Rpc['removeParticipant']>) {
    return this.removal.execute({ organizationId, roomId }, uid);
  }

  @RpcHandler(roomsRpc.muteParticipant)
  async muteParticipant({ organizationId, roomId, uid, source }: RpcInput<Rpc['muteParticipant']>) {
    return this.muting.one({ organizationId, roomId }, uid, source);
  }

  @RpcHandler(roomsRpc.changeRole)
  async changeRole({ organizationId, roomId, uid, role }: RpcInput<Rpc['changeRole']>) {
    return this.roleChange.execute({ organizationId, roomId }, uid, role);
  }
}
