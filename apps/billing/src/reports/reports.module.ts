import { Module } from '@nestjs/common';
import { Attendance } from './attendance.js';
import { ExportSessions } from './export-sessions.js';
import { ParticipantSessions } from './participant-sessions.js';
import { ReportsRepository } from './reports.repository.js';

@Module({ providers: [Attendance, ExportSessions, ParticipantSessions, ReportsRepository] })
export class ReportsModule {}
