import { Module, type DynamicModule } from '@nestjs/common';
import { Dependencies } from '@classroom/platform';
import type { BillingConfig } from '../config.js';
import { BackfillRepository } from './backfill.repository.js';
import { ClickhouseSessionsRepository } from './clickhouse-sessions.repository.js';
import { Clickhouse } from './clickhouse.js';
import { CopySessions } from './copy-sessions.js';
import { PostgresSessionsRepository } from './postgres-sessions.repository.js';
import { ReplaceCopies } from './replace-copies.js';
import { RoomsRepository } from './rooms.repository.js';
import { SessionsStore } from './sessions-store.js';
import { StaleCopiesRepository } from './stale-copies.repository.js';

/** The store that the reports read, and with REPORTS_CLICKHOUSE_URL the copy in ClickHouse. */
@Module({})
export class SessionStoreModule {
  static forRoot({ REPORTS_CLICKHOUSE_URL: url, REPORTS_STORE: store }: BillingConfig): DynamicModule {
    return {
      module: SessionStoreModule,
      providers: [
        RoomsRepository,
        PostgresSessionsRepository,
        { provide: SessionsStore, useExisting: store === 'clickhouse' ? ClickhouseSessionsRepository : PostgresSessionsRepository },
        ...(url === undefined
          ? []
          : [connection(url), BackfillRepository, ClickhouseSessionsRepository, CopySessions, ReplaceCopies, StaleCopiesRepository]),
      ],
      exports: [RoomsRepository, SessionsStore],
    };
  }
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
