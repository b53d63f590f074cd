import { Controller } from '@nestjs/common';
import { billingRpc, type RpcInput } from '@classroom/contracts';
import { RpcHandler } from '@classroom/messaging';
import { Attendance } from './attendance.js';
import { ParticipantSessions } from './participant-sessions.js';

@Controller()
export class ReportsRpc {
  constructor(
    private readonly participantSessions: ParticipantSessions,
    private readonly roomAttendance: Attendance,
  ) {}

  @RpcHandler(billingRpc.sessions)
  async sessions(query: RpcInput<typeof billingRpc.sessions>) {
    return this.participantSessions.execute(query);
  }

  @RpcHandler(billingRpc.attendance)
  async attendance({ organizationId, roomId }: RpcInput<typeof billingRpc.attendance>) {
    return this.roomAttendance.execute(organizationId, roomId);
  }
}
