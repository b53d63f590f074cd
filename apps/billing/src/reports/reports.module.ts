import { Module } from '@nestjs/common';
import { AttendanceRepository } from './attendance.repository.js';
import { Attendance } from './attendance.js';
import { ExportSessions } from './export-sessions.js';
import { ParticipantSessions } from './participant-sessions.js';
import { ReportsRepository } from './reports.repository.js';
import { SessionLinesRepository } from './session-lines.repository.js';

@Module({ providers: [Attendance, AttendanceRepository, ExportSessions, ParticipantSessions, ReportsRepository, SessionLinesRepository] })
export class ReportsModule {}
