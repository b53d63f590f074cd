import { Controller } from '@nestjs/common';
import {
  DATA_CLASSES,
  getDashboardProfile,
  getDashboardRetentionEffect,
  getRoom,
  listAudit,
  listDashboardAudit,
  listDashboardConnections,
  MAX_LISTED_CONNECTIONS,
  MAX_SHOWN_CONNECTIONS,
  retentionRpc,
  roomRpc,
  updateDashboardRetention,
  updateOrganization,
  type EndpointInput,
  type RetainedClass,
  type RpcOutput,
} from '@classroom/contracts';
import { RpcClient } from '@classroom/messaging';
import { Clock } from '@classroom/platform';
import { CallingDashboardUser, Endpoint, Input, success } from '../http/endpoint.js';
import type { DashboardCaller } from '../http/request-context.js';
import { ServedPictures } from '../media/picture-proxy.js';

/** Endpoints for an organization's own dashboard users. No answer contains the organization's id. */
@Controller()
export class DashboardController {
  constructor(
    private readonly rpc: RpcClient,
    private readonly pictures: ServedPictures,
  ) {}

  @Endpoint(getDashboardProfile)
  getDashboardProfile(@CallingDashboardUser() { organization, subject, role }: DashboardCaller) {
    const { name, billing, createdAt, retention } = organization;
    return success({ name, billing, createdAt, branding: this.pictures.brandingOf(organization), retention, subject, role });
  }

  @Endpoint(updateDashboardRetention)
  async updateDashboardRetention(
    @CallingDashboardUser() { organization }: DashboardCaller,
    @Input() { body }: EndpointInput<typeof updateDashboardRetention>,
  ) {
    const { organizationId } = organization;
    const updated = await this.rpc.call(updateOrganization, { organizationId, changes: { retention: body } });
    return success(updated.retention, 'Retention changed');
  }

  @Endpoint(listDashboardAudit)
  async listDashboardAudit(
    @CallingDashboardUser() { organization }: DashboardCaller,
    @Input() { query }: EndpointInput<typeof listDashboardAudit>,
  ) {
    const { organizationId } = organization;
    const { entries, pagination } = await this.rpc.call(listAudit, { organizationId, ...query });
    return success({ entries: entries.map(withoutEvidence), pagination }, 'Audit log');
  }
}

/** Without what was changed: an organization's id is part of it. */
const withoutEvidence = ({ changes: _, address: __, hash: ___, ...entry }: RpcOutput<typeof listAudit>['entries'][number]) => entry;

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

const UNIT_MS = { days: 86_400_000, hours: 3_600_000 };

@Controller()
export class RetentionEffectController {
  constructor(
    private readonly rpc: RpcClient,
    private readonly clock: Clock,
  ) {}

  @Endpoint(getDashboardRetentionEffect)
  async getDashboardRetentionEffect(
    @CallingDashboardUser() { organization: { organizationId, retention } }: DashboardCaller,
    @Input() { query: { dataClass, kept } }: EndpointInput<typeof getDashboardRetentionEffect>,
  ) {
    const now = this.clock.now().getTime();
    const ago = (time: number) => new Date(now - time * UNIT_MS[DATA_CLASSES[dataClass].kept.unit]).toISOString();
    const before = ago(kept);
    const since = ago(retention[dataClass]);
    const { old, all, oldestAt } = await this.rpc.call(ownerOf(dataClass), { organizationId, dataClass, since, before });
    return success({ dataClass, erased: old, stored: all, oldestAt, before });
  }
}

function ownerOf(dataClass: RetainedClass) {
  if (dataClass === 'recordings') return retentionRpc.recording;
  return dataClass === 'aiDialogues' ? retentionRpc.ai : retentionRpc.room;
}
