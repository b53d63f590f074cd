import { Controller, Inject } from '@nestjs/common';
import type { NatsConnection } from '@nats-io/transport-node';
import { billingRpc, type RpcInput } from '@classroom/contracts';
import { NATS, RpcHandler, startTextStream } from '@classroom/messaging';
import { attendanceCsv } from './attendance-csv.js';
import { Attendance } from './attendance.js';
import { ExportSessions } from './export-sessions.js';
import { ParticipantSessions } from './participant-sessions.js';

@Controller()
export class ReportsRpc {
  constructor(
    private readonly participantSessions: ParticipantSessions,
    private readonly sessionsExport: ExportSessions,
    private readonly roomAttendance: Attendance,
    @Inject(NATS) private readonly connection: NatsConnection,
  ) {}

  @RpcHandler(billingRpc.sessions)
  async sessions(query: RpcInput<typeof billingRpc.sessions>) {
    return this.participantSessions.execute(query);
  }

  @RpcHandler(billingRpc.exportSessions)
  async exportSessions({ inbox, ...query }: RpcInput<typeof billingRpc.exportSessions>) {
    return { control: startTextStream(this.connection, inbox, () => this.sessionsExport.execute(query)) };
  }

  @RpcHandler(billingRpc.exportAttendance)
  async exportAttendance({ inbox, organizationId, roomId }: RpcInput<typeof billingRpc.exportAttendance>) {
    const attendance = await this.roomAttendance.execute(organizationId, roomId);
    return { control: startTextStream(this.connection, inbox, () => attendanceCsv(attendance)) };
  }

  @RpcHandler(billingRpc.attendance)
  async attendance({ organizationId, roomId }: RpcInput<typeof billingRpc.attendance>) {
    return this.roomAttendance.execute(organizationId, roomId);
  }
}
