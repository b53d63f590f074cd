import { Controller } from '@nestjs/common';
import { interactionRpc, listRoomPolls, type EndpointInput, type Organization } from '@classroom/contracts';
import { RpcClient } from '@classroom/messaging';
import { allPages } from '../http/all-pages.js';
import { CallingOrganization, Endpoint, Input } from '../http/endpoint.js';
import { success } from '../http/envelope.js';
import { mergePolls } from './merge-polls.js';

@Controller()
export class RoomsController {
  constructor(private readonly rpc: RpcClient) {}

  @Endpoint(listRoomPolls)
  async listRoomPolls(@CallingOrganization() { organizationId }: Organization, @Input() { params }: EndpointInput<typeof listRoomPolls>) {
    const pages = await allPages((cursor) => this.rpc.call(interactionRpc.pollPage, { organizationId, roomId: params.roomId, cursor }));
    return success(mergePolls(pages.flatMap((page) => page.polls)), 'Polls');
  }
}
