import { Controller } from '@nestjs/common';
import {
  getRoom,
  listDashboardConnections,
  MAX_LISTED_CONNECTIONS,
  MAX_SHOWN_CONNECTIONS,
  roomRpc,
  type EndpointInput,
  type RpcOutput,
} from '@classroom/contracts';
import { RpcClient } from '@classroom/messaging';
import { CallingDashboardUser, Endpoint, Input } from '../http/endpoint.js';
import { success } from '../http/envelope.js';
import type { DashboardCaller } from '../http/request-context.js';

type Connection = RpcOutput<typeof roomRpc.connections>['connections'][number];

@Controller()
export class ConnectionsController {
  constructor(private readonly rpc: RpcClient) {}

  @Endpoint(listDashboardConnections)
  async listDashboardConnections(
    @CallingDashboardUser() { organization: { organizationId } }: DashboardCaller,
    @Input() { params: { roomId } }: EndpointInput<typeof listDashboardConnections>,
  ) {
    // The organization's own room, or 404: the other call knows no organization.
    const { sid } = await this.rpc.call(getRoom, { organizationId, roomId });
    const { connections, isComplete } = await this.read(sid);
    return success({ connections: connections.map(toShown).sort(byJoin), isComplete }, 'Connections');
  }

  private async read(sid: string): Promise<{ connections: Connection[]; isComplete: boolean }> {
    const connections: Connection[] = [];
    for (;;) {
      const after = connections.at(-1)?.connectionSid;
      const page = (await this.rpc.call(roomRpc.connections, { sid, limit: MAX_LISTED_CONNECTIONS, ...(after ? { after } : {}) }))
        .connections;
      for (const connection of page) connections.push(connection);
      if (page.length < MAX_LISTED_CONNECTIONS) return { connections, isComplete: true };
      if (connections.length >= MAX_SHOWN_CONNECTIONS) return { connections, isComplete: false };
    }
  }
}

const toShown = ({ connectionSid, uid, name, role, joinedAt, leftAt, openedBy, closedBy }: Connection) => ({
  connectionSid,
  uid,
  name,
  role,
  joinedAt,
  leftAt,
  openedBy,
  closedBy,
});

/** Times are UTC with milliseconds, so they can be compared as text. */
const byJoin = (a: { joinedAt: string }, b: { joinedAt: string }) => (a.joinedAt < b.joinedAt ? -1 : Number(a.joinedAt > b.joinedAt));
