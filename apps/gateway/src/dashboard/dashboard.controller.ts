import { Controller } from '@nestjs/common';
import {
  AppError,
  billingRpc,
  getDashboardBranding,
  getDashboardDomains,
  getDashboardProfile,
  getDashboardUsage,
  listDashboardLedger,
  listDashboardRecordings,
  listDashboardRooms,
  listDashboardVideos,
  organizationRpc,
  recordingRpc,
  roomsRpc,
  updateDashboardBranding,
  videoRpc,
  type EndpointInput,
} from '@classroom/contracts';
import { RpcClient } from '@classroom/messaging';
import { PlanGuard } from '../authentication/plan-guard.js';
import { CallingDashboardUser, Endpoint, Input } from '../http/endpoint.js';
import { success } from '../http/envelope.js';
import type { DashboardCaller } from '../http/exchange.js';

/** The organization's people over its figures. No answer has the organization's id in it. */
@Controller()
export class DashboardController {
  constructor(
    private readonly rpc: RpcClient,
    private readonly planGuard: PlanGuard,
  ) {}

  @Endpoint(getDashboardProfile)
  profile(@CallingDashboardUser() { organization, subject, role }: DashboardCaller) {
    const { name, billing, createdAt } = organization;
    return success({ name, billing, createdAt, subject, role });
  }

  @Endpoint(getDashboardDomains)
  domains(@CallingDashboardUser() { organization }: DashboardCaller) {
    return success({ verifiedDomains: organization.verifiedDomains });
  }

  @Endpoint(getDashboardBranding)
  branding(@CallingDashboardUser() { organization }: DashboardCaller) {
    return success(organization.branding);
  }

  @Endpoint(updateDashboardBranding)
  async updateBranding(
    @CallingDashboardUser() { organization, role }: DashboardCaller,
    @Input() { body }: EndpointInput<typeof updateDashboardBranding>,
  ) {
    if (role !== 'OWNER') throw new AppError('FORBIDDEN');
    const { organizationId } = organization;
    const updated = await this.rpc.call(organizationRpc.update, { organizationId, changes: { branding: body } });
    return success(updated.branding, 'Branding changed');
  }

  @Endpoint(getDashboardUsage)
  async usage(@CallingDashboardUser() { organization }: DashboardCaller) {
    await this.planGuard.require(organization);
    const { organizationId } = organization;
    const [balance, statements] = await Promise.all([
      this.rpc.call(billingRpc.balance, { organizationId }),
      this.rpc.call(billingRpc.statements, { organizationId }),
    ]);
    return success({ balance, statements });
  }

  @Endpoint(listDashboardLedger)
  async ledger(@CallingDashboardUser() { organization }: DashboardCaller, @Input() { query }: EndpointInput<typeof listDashboardLedger>) {
    return success(await this.rpc.call(billingRpc.ledger, { organizationId: organization.organizationId, ...query }));
  }

  @Endpoint(listDashboardRooms)
  async rooms(@CallingDashboardUser() { organization }: DashboardCaller, @Input() { query }: EndpointInput<typeof listDashboardRooms>) {
    return success(await this.rpc.call(roomsRpc.list, { organizationId: organization.organizationId, ...query }), 'Rooms');
  }

  @Endpoint(listDashboardRecordings)
  async recordings(
    @CallingDashboardUser() { organization }: DashboardCaller,
    @Input() { params }: EndpointInput<typeof listDashboardRecordings>,
  ) {
    const { organizationId } = organization;
    return success(await this.rpc.call(recordingRpc.list, { organizationId, roomId: params.roomId }), 'Recordings');
  }

  @Endpoint(listDashboardVideos)
  async videos(@CallingDashboardUser() { organization }: DashboardCaller, @Input() { query }: EndpointInput<typeof listDashboardVideos>) {
    return success(await this.rpc.call(videoRpc.list, { organizationId: organization.organizationId, ...query }), 'Videos');
  }
}
