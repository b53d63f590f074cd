import { Controller } from '@nestjs/common';
import {
  getDashboardProfile,
  listAudit,
  listDashboardAudit,
  updateDashboardRetention,
  updateOrganization,
  type EndpointInput,
  type RpcOutput,
} from '@classroom/contracts';
import { RpcClient } from '@classroom/messaging';
import { CallingDashboardUser, Endpoint, Input } from '../http/endpoint.js';
import { success } from '../http/envelope.js';
import { ServedPictures } from '../media/picture-route.js';
import type { DashboardCaller } from '../http/request-context.js';

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
    return success({ entries: entries.map(toShown), pagination }, 'Audit log');
  }
}

/** Without what was changed: an organization's id is part of it. */
const toShown = ({ changes: _, address: __, hash: ___, ...entry }: RpcOutput<typeof listAudit>['entries'][number]) => entry;
