import { BullModule } from '@nestjs/bullmq';
import { Module, type DynamicModule, type Provider } from '@nestjs/common';
import { AccountsRepository } from './accounts/accounts.repository.js';
import { AccountsRpc } from './accounts/accounts.rpc.js';
import { ApplyPlan } from './accounts/apply-plan.js';
import { Classrooms } from './accounts/classrooms.js';
import { EnsureAccount } from './accounts/ensure-account.js';
import { PlansRepository } from './accounts/plans.repository.js';
import { AuditRepository } from './audit/audit.repository.js';
import { LedgerAudit } from './audit/ledger-audit.js';
import { SessionDrift } from './audit/session-drift.js';
import { AiUsageEvents } from './ai-usage/ai-usage.events.js';
import { ChargeAiUsage } from './ai-usage/charge-ai-usage.js';
import type { BillingConfig } from './config.js';
import { CloseCycles } from './cycles/close-cycles.js';
import { CycleSums } from './cycles/cycle-sums.js';
import { StatementsRpc } from './cycles/statements.rpc.js';
import { WriteStatement } from './cycles/write-statement.js';
import { ExplainEntry } from './ledger/explain-entry.js';
import { LedgerRepository } from './ledger/ledger.repository.js';
import { LedgerRpc } from './ledger/ledger.rpc.js';
import { PostCredits } from './ledger/post-credits.js';
import { PostEntries } from './ledger/post-entries.js';
import { BillingEvents } from './metering/billing.events.js';
import { CatchUp } from './metering/catch-up.js';
import { ChargeMeters } from './metering/charge-meters.js';
import { FinishedRooms } from './metering/finished-rooms.js';
import { FoldEvents } from './metering/fold-events.js';
import { MetersRepository } from './metering/meters.repository.js';
import { CREDIT_ROLLUP_QUEUE, RollUpJobs } from './metering/roll-up.jobs.js';
import { RollUp } from './metering/roll-up.js';
import { RollUpTrigger } from './metering/roll-up.trigger.js';
import { SessionsRepository } from './metering/sessions.repository.js';
import { Attendance } from './reports/attendance.js';
import { ExportSessions } from './reports/export-sessions.js';
import { ParticipantSessions } from './reports/participant-sessions.js';
import { ReportsRepository } from './reports/reports.repository.js';
import { ReportsRpc } from './reports/reports.rpc.js';

const accounts: Provider[] = [AccountsRepository, PlansRepository, ApplyPlan, Classrooms, EnsureAccount];
const ledger: Provider[] = [LedgerRepository, PostEntries, PostCredits, ExplainEntry, AuditRepository, LedgerAudit, SessionDrift];
const metering: Provider[] = [
  SessionsRepository,
  MetersRepository,
  FoldEvents,
  BillingEvents,
  ChargeMeters,
  RollUp,
  RollUpTrigger,
  CatchUp,
  FinishedRooms,
  CloseCycles,
  CycleSums,
  WriteStatement,
];
const aiUsage: Provider[] = [ChargeAiUsage, AiUsageEvents];
const reports: Provider[] = [ReportsRepository, ParticipantSessions, ExportSessions, Attendance];

@Module({})
export class BillingModule {
  static forRoot(config: BillingConfig): DynamicModule {
    return {
      module: BillingModule,
      imports: [BullModule.registerQueue({ name: CREDIT_ROLLUP_QUEUE })],
      controllers: [AccountsRpc, LedgerRpc, StatementsRpc, ReportsRpc],
      providers: [
        ...accounts,
        ...ledger,
        ...metering,
        ...aiUsage,
        ...reports,
        ...(config.ROLES.includes('worker') ? [RollUpJobs] : []),
      ],
    };
  }
}
