import { setTimeout as sleep } from 'node:timers/promises';
import { Global, Inject, Module, type DynamicModule, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Dependencies, logger, type BaseConfig } from '@classroom/platform';
import { DataSource } from 'typeorm';
import { z } from 'zod';
import { dataSourceOptions, type ConnectionOptions, type EntityClass } from './data-source.js';
import { Database } from './database.js';

export const persistenceConfig = z.object({
  /** The service's own role; its schema is its default search path. It may lead through PgBouncer in transaction mode. */
  DATABASE_URL: z.string().min(1),
  /** Maximum number of connections of one process. All processes together have to stay below what Postgres allows. */
  DATABASE_POOL: z.coerce.number().int().min(1).max(200).default(10),
});
export type PersistenceConfig = z.infer<typeof persistenceConfig>;

const RETRY_DELAY_MS = 500;
const MAX_WARM = 10;
const WARM_ATTEMPTS = 5;

/** Its own module, below all others: Nest ends the connections last. */
@Module({})
class DataSourceModule implements OnApplicationShutdown {
  constructor(@Inject(DataSource) private readonly dataSource: DataSource) {}

  onApplicationShutdown(): Promise<void> {
    return this.dataSource.destroy();
  }

  static forRoot(options: ConnectionOptions): DynamicModule {
    return {
      module: DataSourceModule,
      providers: [{ provide: DataSource, useFactory: () => connected(options) }],
      exports: [DataSource],
    };
  }
}

/** At start, the database may become available later than this process. */
async function connected(options: ConnectionOptions): Promise<DataSource> {
  for (;;) {
    try {
      return await new DataSource(dataSourceOptions(options)).initialize();
    } catch (error) {
      logger.warn({ err: error }, 'database not reachable; trying again');
      await sleep(RETRY_DELAY_MS);
    }
  }
}

@Global()
@Module({})
export class PersistenceModule implements OnModuleInit {
  constructor(
    @Inject(Database) private readonly database: Database,
    @Inject(Dependencies) private readonly dependencies: Dependencies,
  ) {}

  async onModuleInit(): Promise<void> {
    this.dependencies.register('postgres', () => this.database.ping(), { required: true });
    await this.connect();
  }

  /**
   * Opens connections before the first request. Otherwise, under load, the first callers of a new process would wait for all of
   * them to open.
   */
  private async connect(): Promise<void> {
    const count = Math.min(this.database.poolSize, MAX_WARM);
    for (let attempt = 0; attempt < WARM_ATTEMPTS; attempt++) {
      const made = await Promise.allSettled(Array.from({ length: count }, () => this.database.ping()));
      if (made.every(({ status }) => status === 'fulfilled')) return;
    }
  }

  /**
   * `waitMs`: how long a caller waits for a free connection, in milliseconds. Longer where a burst may queue and its callers wait
   * longer anyway.
   */
  static forRoot(options: {
    schema: string;
    config: PersistenceConfig & Pick<BaseConfig, 'DEPLOYMENT'>;
    entities?: readonly EntityClass[];
    waitMs?: number;
  }): DynamicModule {
    const { schema, config, entities, waitMs } = options;
    return {
      module: PersistenceModule,
      imports: [DataSourceModule.forRoot({ schema, url: config.DATABASE_URL, entities, poolSize: config.DATABASE_POOL, waitMs })],
      providers: [
        {
          provide: Database,
          inject: [DataSource],
          useFactory: (dataSource: DataSource) => new Database(dataSource, config.DEPLOYMENT !== 'production'),
        },
      ],
      exports: [Database],
    };
  }
}
