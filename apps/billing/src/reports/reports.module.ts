import { Module, type DynamicModule } from '@nestjs/common';
import type { BillingConfig } from '../config.js';
import { SessionStoreModule } from '../session-store/session-store.module.js';
import { Attendance } from './attendance.js';
import { ExportSessions } from './export-sessions.js';
import { ParticipantSessions } from './participant-sessions.js';

@Module({})
export class ReportsModule {
  static forRoot(config: BillingConfig): DynamicModule {
    return {
      module: ReportsModule,
      imports: [SessionStoreModule.forRoot(config)],
      providers: [Attendance, ExportSessions, ParticipantSessions],
    };
  }
}
