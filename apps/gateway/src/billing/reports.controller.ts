import { Controller } from '@nestjs/common';
import {
  billingRpc,
  getAttendance,
  getParticipantSessions,
  getRoomSummary,
  roomRpc,
  type EndpointInput,
  type Organization,
} from '@classroom/contracts';
import { RpcClient } from '@classroom/messaging';
import { PlanGuard } from '../authentication/plan-guard.js';
import { CallingOrganization, Endpoint, Input } from '../http/endpoint.js';
import { success } from '../http/envelope.js';

@Controller()
export class ReportsController {
  constructor(
    private readonly rpc: RpcClient,
    private readonly planGuard: PlanGuard,
  ) {}

  @Endpoint(getParticipantSessions)
  async sessions(
    @CallingOrganization() organization: Organization,
    @Input() { body }: EndpointInput<typeof getParticipantSessions>,
  ) {
    await this.planGuard.require(organization);
    const { organizationId } = organization;
    return success(await this.rpc.call(billingRpc.sessions, { ...body, organizationId }));
  }

  @Endpoint(getRoomSummary)
  async summary(
    @CallingOrganization() { organizationId }: Organization,
    @Input() { params }: EndpointInput<typeof getRoomSummary>,
  ) {
    return success(await this.rpc.call(roomRpc.summary, { organizationId, roomId: params.roomId }));
  }

  @Endpoint(getAttendance)
  async attendance(
    @CallingOrganization() { organizationId }: Organization,
    @Input() { params }: EndpointInput<typeof getAttendance>,
  ) {
    return success(await this.rpc.call(billingRpc.attendance, { organizationId, roomId: params.roomId }));
  }
}
