import { Module, type DynamicModule, type Provider } from '@nestjs/common';
import { MessagingModule, RetentionSweepModule } from '@classroom/messaging';
import { PersistenceModule } from '@classroom/persistence';
import { Dependencies, PlatformModule } from '@classroom/platform';
import { AuditRepository } from './charging/audit.repository.js';
import { LedgerAudit, SessionDrift } from './charging/ledger-audit.js';
import { ChargeAiUsage, PublishReachedBudgets, RollUp, RollUpTrigger } from './charging/roll-up.js';
import { CatchUpRepository, DueAccountsRepository, FinishedRoomsRepository } from './charging/catch-up.repository.js';
import type { BillingConfig } from './config.js';
import { GetBalance, GetCreditAlerts, PostCredits, SetCreditAlerts } from './credits/get-balance.js';
import { ExplainAiUsage, ExplainEntry, ListLedger, ListUsage } from './credits/read-ledger.js';
import { UsageRepository } from './credits/usage.repository.js';
import { CatchUp, FinishedRooms } from './charging/catch-up.js';
import { FoldEvents, AddSessionPartitions } from './charging/fold-events.js';
import { AccountsRepository, ClassroomsRepository } from './ledger/accounts.repository.js';
import { LedgerRepository } from './ledger/ledger.repository.js';
import { PostEntries } from './ledger/post-entries.js';
import { AiMetersRepository, AiUsagesRepository } from './metering/ai-usage.repository.js';
import { BudgetWarningsRepository, DueMetersRepository } from './metering/due-meters.repository.js';
import { ChargeMeters } from './metering/charge-meters.js';
import { MetersRepository } from './metering/meters.repository.js';
import { SessionsRepository } from './metering/sessions.repository.js';
import { ApplyPlan, EnsureAccount } from './plans/apply-plan.js';
import { CloseCycles, WriteStatement } from './plans/close-cycles.js';
import { CycleSumsRepository, PlansRepository, StatementPartsRepository, StatementsRepository } from './plans/statements.repository.js';
import { AddressExpiry, EraseFromSessions, EraseOrganizationSessions, FactsProgress, PresenceExpiry } from './privacy/erase-sessions.js';
import { ExportedRepository, SettledClassesRepository } from './privacy/exported.repository.js';
import { Attendance } from './reports/attendance.js';
import { ClickhouseSessionsRepository } from './reports/clickhouse-sessions.repository.js';
import { Clickhouse } from './reports/clickhouse.js';
import { CopySessions, ReplaceCopies } from './reports/copy-sessions.js';
import { BackfillRepository, StaleCopiesRepository } from './reports/copies.repository.js';
import { ExportSessions } from './reports/export-sessions.js';
import { ParticipantSessions } from './reports/participant-sessions.js';
import { PostgresSessionsRepository } from './reports/postgres-sessions.repository.js';
import { RoomsRepository } from './reports/rooms.repository.js';
import { SessionsStore } from './reports/sessions-store.js';
import { entities } from './schema/sql.js';
import { ExportStatement, StatementPrinter } from './statements/export-statement.js';
import { GetStatement, ListStatements } from './statements/read-statements.js';

/** What the rules of retention inject. The sweep's module imports it, so it is a module of its own. */
@Module({
  providers: [SessionsRepository, SettledClassesRepository, StaleCopiesRepository],
  exports: [SessionsRepository, SettledClassesRepository, StaleCopiesRepository],
})
class PersonalDataModule {}

@Module({})
export class AppModule {
  static forRoot(config: BillingConfig): DynamicModule {
    return {
      module: AppModule,
      imports: [
        PlatformModule.forRoot(config),
        PersistenceModule.forRoot({ schema: 'billing', config, entities }),
        MessagingModule.forRoot({ name: 'billing', service: 'billing', config }),
        PersonalDataModule,
        RetentionSweepModule.forRoot({ rules: [AddressExpiry, PresenceExpiry], imports: [PersonalDataModule] }),
      ],
      providers: [
        // ledger
        AccountsRepository,
        ClassroomsRepository,
        LedgerRepository,
        PostEntries,
        // metering
        AiMetersRepository,
        AiUsagesRepository,
        BudgetWarningsRepository,
        ChargeMeters,
        DueMetersRepository,
        MetersRepository,
        // plans
        ApplyPlan,
        CloseCycles,
        CycleSumsRepository,
        EnsureAccount,
        PlansRepository,
        StatementPartsRepository,
        StatementsRepository,
        WriteStatement,
        // charging
        ChargeAiUsage,
        DueAccountsRepository,
        PublishReachedBudgets,
        RollUp,
        RollUpTrigger,
        // facts
        AddSessionPartitions,
        CatchUp,
        CatchUpRepository,
        FinishedRooms,
        FinishedRoomsRepository,
        FoldEvents,
        // credits
        ExplainAiUsage,
        ExplainEntry,
        GetBalance,
        GetCreditAlerts,
        ListLedger,
        ListUsage,
        PostCredits,
        SetCreditAlerts,
        UsageRepository,
        // audit
        AuditRepository,
        LedgerAudit,
        SessionDrift,
        // statements
        ExportStatement,
        GetStatement,
        ListStatements,
        StatementPrinter,
        // reports
        Attendance,
        ExportSessions,
        ParticipantSessions,
        PostgresSessionsRepository,
        RoomsRepository,
        ...sessionsStore(config),
        // privacy
        EraseFromSessions,
        EraseOrganizationSessions,
        ExportedRepository,
        FactsProgress,
      ],
    };
  }
}

/** The store that the reports read, and with REPORTS_CLICKHOUSE_URL the copy in ClickHouse. */
function sessionsStore({ REPORTS_CLICKHOUSE_URL: url, REPORTS_STORE: store }: BillingConfig): Provider[] {
  const read = { provide: SessionsStore, useExisting: store === 'clickhouse' ? ClickhouseSessionsRepository : PostgresSessionsRepository };
  if (url === undefined) return [read];
  return [read, connection(url), BackfillRepository, ClickhouseSessionsRepository, CopySessions, ReplaceCopies];
}

const connection = (url: string) => ({
  provide: Clickhouse,
  inject: [Dependencies],
  useFactory: async (dependencies: Dependencies) => {
    const clickhouse = await Clickhouse.open(url);
    dependencies.register('clickhouse', () => clickhouse.ping(), { required: false });
    return clickhouse;
  },
});
