import { Module } from '@nestjs/common';
import { Attendance } from './attendance.js';
import { ExportSessions } from './export-sessions.js';
import { ParticipantSessions } from './participant-sessions.js';
import { ReportsRepository } from './reports.repository.js';
import { ReportsRpc } from './reports.rpc.js';

@Module({
  controllers: [ReportsRpc],
  providers: [Attendance, ExportSessions, ParticipantSessions, ReportsRepository],
})
export class ReportsModule {}
