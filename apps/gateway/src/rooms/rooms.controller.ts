import { Controller } from '@nestjs/common';
import { interactionRpc, listRoomChat, listRoomPolls, pollReport, type EndpointInput, type Organization } from '@classroom/contracts';
import { RpcClient } from '@classroom/messaging';
import { z } from 'zod';
import { LongAnswers } from '../http/long-answers.js';
import { CallingOrganization, Endpoint, Input } from '../http/endpoint.js';
import { success } from '../http/envelope.js';

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

  @Endpoint(listRoomChat)
  async listRoomChat(
    @CallingOrganization() { organizationId }: Organization,
    @Input() { params: { roomId }, query }: EndpointInput<typeof listRoomChat>,
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
