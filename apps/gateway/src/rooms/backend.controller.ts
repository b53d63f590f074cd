import { Controller } from '@nestjs/common';
import {
  changeParticipantRole,
  changeRoom,
  listParticipants,
  listRooms,
  muteRoomParticipant,
  removeRoomParticipant,
  roomsRpc,
  type EndpointInput,
  type Organization,
} from '@classroom/contracts';
import { RpcClient } from '@classroom/messaging';
import { CallingOrganization, Endpoint, Input } from '../http/endpoint.js';
import { success } from '../http/envelope.js';

/** The organization's backend over its rooms: listing and changing them, and the people in them. */
@Controller()
export class BackendController {
  constructor(private readonly rpc: RpcClient) {}

  @Endpoint(listRooms)
  async list(@CallingOrganization() { organizationId }: Organization, @Input() { query }: EndpointInput<typeof listRooms>) {
    return success(await this.rpc.call(roomsRpc.list, { organizationId, ...query }), 'Rooms');
  }

  @Endpoint(changeRoom)
  async change(@CallingOrganization() { organizationId }: Organization, @Input() { params, body }: EndpointInput<typeof changeRoom>) {
    return success(await this.rpc.call(roomsRpc.change, { organizationId, roomId: params.roomId, change: body }), 'Room changed');
  }

  @Endpoint(listParticipants)
  async participants(
    @CallingOrganization() { organizationId }: Organization,
    @Input() { params, query: { connected, cursor, limit } }: EndpointInput<typeof listParticipants>,
  ) {
    const isConnected = connected === undefined ? undefined : connected === 'true';
    return success(await this.rpc.call(roomsRpc.participants, { organizationId, ...params, isConnected, cursor, limit }), 'Participants');
  }

  @Endpoint(changeParticipantRole)
  async changeRole(@CallingOrganization() { organizationId }: Organization, @Input() { params, body }: EndpointInput<typeof changeParticipantRole>) {
    return success(await this.rpc.call(roomsRpc.changeRole, { organizationId, ...params, role: body.role }), 'Role changed');
  }

  @Endpoint(removeRoomParticipant)
  async remove(@CallingOrganization() { organizationId }: Organization, @Input() { params }: EndpointInput<typeof removeRoomParticipant>) {
    return success(await this.rpc.call(roomsRpc.removeParticipant, { organizationId, ...params }), 'Participant removed');
  }

  @Endpoint(muteRoomParticipant)
  async mute(@CallingOrganization() { organizationId }: Organization, @Input() { params, body }: EndpointInput<typeof muteRoomParticipant>) {
    return success(await this.rpc.call(roomsRpc.muteParticipant, { organizationId, ...params, source: body.source }), 'Participant muted');
  }
}
