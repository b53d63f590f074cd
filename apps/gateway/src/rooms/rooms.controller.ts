import { Controller, Headers, Res } from '@nestjs/common';
import {
  createRoom,
  deleteRoom,
  getRoomStatus,
  interactionRpc,
  joinRoom,
  listRoomPolls,
  roomRpc,
  type EndpointInput,
  type Organization,
} from '@classroom/contracts';
import { RpcClient } from '@classroom/messaging';
import type { FastifyReply } from 'fastify';
import { PlanGuard } from '../authentication/plan-guard.js';
import { allPages } from '../http/all-pages.js';
import { CallingOrganization, Endpoint, Input } from '../http/endpoint.js';
import { success } from '../http/envelope.js';
import { ofOwner, ownersKeyOf } from '../http/idempotency-key.js';
import { joinPolls } from './join-polls.js';

@Controller()
export class RoomsController {
  constructor(
    private readonly rpc: RpcClient,
    private readonly planGuard: PlanGuard,
  ) {}

  @Endpoint(createRoom)
  async create(
    @CallingOrganization() organization: Organization,
    @Input() { body }: EndpointInput<typeof createRoom>,
    @Headers('idempotency-key') key: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const idempotency = ownersKeyOf(key, body);
    await this.planGuard.require(organization);
    const { organizationId } = organization;
    const created = await this.rpc.call(roomRpc.create, { ...body, organizationId, idempotency });
    return success(ofOwner(reply, created), 'Room created');
  }

  @Endpoint(joinRoom)
  async join(
    @CallingOrganization() { organizationId }: Organization,
    @Input() { params, body }: EndpointInput<typeof joinRoom>,
  ) {
    const { roomId } = params;
    const { participant } = body;
    return success(await this.rpc.call(roomRpc.join, { organizationId, roomId, participant }), 'Token created');
  }

  @Endpoint(getRoomStatus)
  async status(
    @CallingOrganization() { organizationId }: Organization,
    @Input() { params }: EndpointInput<typeof getRoomStatus>,
  ) {
    const status = await this.rpc.call(roomRpc.status, { organizationId, roomId: params.roomId });
    return success(status, status.exists ? 'Room status' : 'Room does not exist');
  }

  @Endpoint(listRoomPolls)
  async polls(
    @CallingOrganization() { organizationId }: Organization,
    @Input() { params }: EndpointInput<typeof listRoomPolls>,
  ) {
    const pages = await allPages((cursor) => this.rpc.call(interactionRpc.pollPage, { organizationId, roomId: params.roomId, cursor }));
    return success(joinPolls(pages.flatMap((page) => page.polls)), 'Polls');
  }

  @Endpoint(deleteRoom)
  async end(
    @CallingOrganization() { organizationId }: Organization,
    @Input() { params }: EndpointInput<typeof deleteRoom>,
  ) {
    return success(await this.rpc.call(roomRpc.end, { organizationId, roomId: params.roomId }), 'Room ended');
  }
}
