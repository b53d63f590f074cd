import { Controller } from '@nestjs/common';
import {
  interactionRpc,
  listDashboardChat,
  listDashboardPolls,
  listRoomChat,
  listRoomPolls,
  pollReport,
  type EndpointInput,
  type Organization,
} from '@classroom/contracts';
import { RpcClient } from '@classroom/messaging';
import { z } from 'zod';
import { LongAnswers } from '../http/long-answers.js';
import { CallingDashboardUser, CallingOrganization, Endpoint, Input } from '../http/endpoint.js';
import { success } from '../http/envelope.js';
import type { DashboardCaller } from '../http/request-context.js';

const reports = z.array(pollReport);

@Controller()
export class RoomsController {
  constructor(
    private readonly rpc: RpcClient,
    private readonly longAnswers: LongAnswers,
  ) {}

  @Endpoint(listRoomPolls)
  async listRoomPolls(@CallingOrganization() { organizationId }: Organization, @Input() { params }: EndpointInput<typeof listRoomPolls>) {
    return this.polls(organizationId, params.roomId);
  }

  @Endpoint(listDashboardPolls)
  async listDashboardPolls(
    @CallingDashboardUser() { organization }: DashboardCaller,
    @Input() { params }: EndpointInput<typeof listDashboardPolls>,
  ) {
    return this.polls(organization.organizationId, params.roomId);
  }

  @Endpoint(listRoomChat)
  async listRoomChat(
    @CallingOrganization() { organizationId }: Organization,
    @Input() { params: { roomId }, query }: EndpointInput<typeof listRoomChat>,
  ) {
    return this.chat(organizationId, roomId, query);
  }

  @Endpoint(listDashboardChat)
  async listDashboardChat(
    @CallingDashboardUser() { organization: { organizationId } }: DashboardCaller,
    @Input() { params: { roomId }, query }: EndpointInput<typeof listDashboardChat>,
  ) {
    return this.chat(organizationId, roomId, query);
  }

  private async polls(organizationId: string, roomId: string) {
    const { text } = await this.longAnswers.read(interactionRpc.exportPolls, { organizationId, roomId });
    return success(reports.parse(JSON.parse(text)), 'Polls');
  }

  private async chat(
    organizationId: string,
    roomId: string,
    { export: form, format, bom, ...page }: EndpointInput<typeof listRoomChat>['query'],
  ) {
    if (form === 'json') return success(await this.rpc.call(interactionRpc.chatPage, { organizationId, roomId, ...page }), 'Chat');
    const query = { organizationId, roomId, isTable: format === 'table' };
    return this.longAnswers.csv(interactionRpc.exportChat, query, 'chat.csv', bom === 'true');
  }
}
