import { Controller } from '@nestjs/common';
import { billingRpc, type RpcInput } from '@classroom/contracts';
import { RpcHandler, TextStreams } from '@classroom/messaging';
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
    private readonly streams: TextStreams,
  ) {}

  @RpcHandler(billingRpc.sessions)
  async sessions(query: RpcInput<typeof billingRpc.sessions>) {
    return this.participantSessions.execute(query);
  }

  @RpcHandler(billingRpc.exportSessions)
  async exportSessions({ inbox, ...query }: RpcInput<typeof billingRpc.exportSessions>) {
    return this.streams.open(inbox, () => this.sessionsExport.execute(query));
  }

  @RpcHandler(billingRpc.exportAttendance)
  async exportAttendance({ inbox, organizationId, roomId }: RpcInput<typeof billingRpc.exportAttendance>) {
    const attendance = await this.roomAttendance.execute(organizationId, roomId);
    return this.streams.open(inbox, () => attendanceCsv(attendance));
  }

  @RpcHandler(billingRpc.attendance)
  async attendance(input: RpcInput<typeof billingRpc.attendance>) {
    return input.isPaged ? this.roomAttendance.page(input) : this.roomAttendance.execute(input.organizationId, input.roomId);
  }
}
