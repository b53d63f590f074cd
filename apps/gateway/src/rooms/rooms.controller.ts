import { Controller } from '@nestjs/common';
import {
  interactionRpc,
  listDashboardChat,
  listDashboardPolls,
  listRoomChat,
  listRoomPolls,
  type EndpointInput,
  type Organization,
} from '@classroom/contracts';
import { RpcClient } from '@classroom/messaging';
import { allPages, csvFile } from '../http/long-answers.js';
import { CallingDashboardUser, CallingOrganization, Endpoint, Input } from '../http/endpoint.js';
import { success } from '../http/envelope.js';
import type { DashboardCaller } from '../http/request-context.js';
import { chatCsv } from './chat-csv.js';
import { mergePolls } from './merge-polls.js';

/** Messages in one RPC of an export. */
const EXPORT_PAGE_SIZE = 200;

@Controller()
export class RoomsController {
  constructor(private readonly rpc: RpcClient) {}

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
    const pages = await allPages((cursor) => this.rpc.call(interactionRpc.pollPage, { organizationId, roomId, cursor }));
    return success(mergePolls(pages.flatMap((page) => page.polls)), 'Polls');
  }

  private async chat(organizationId: string, roomId: string, query: EndpointInput<typeof listRoomChat>['query']) {
    const read = (limit: number, cursor?: string) => this.rpc.call(interactionRpc.chatPage, { organizationId, roomId, limit, cursor });
    if (query.export === 'json') {
      const { messages, nextCursor } = await read(query.limit, query.cursor);
      return success({ messages, nextCursor }, 'Chat');
    }
    // The first page is read before the answer begins, so that an error is an ordinary error response.
    const first = await read(EXPORT_PAGE_SIZE);
    const text = chatCsv(roomId, first, query.format === 'table', (cursor) => read(EXPORT_PAGE_SIZE, cursor));
    return csvFile(text, 'chat.csv', query.bom === 'true');
  }
}
