import { Global, Inject, Module, type DynamicModule, type OnModuleInit } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Dependencies, logger } from '@classroom/platform';
import type { EntitySchema } from 'typeorm';
import { z } from 'zod';
import { Database } from './database.js';

export const persistenceConfig = z.object({
  /** The service's own role; its schema is its default search path. */
  DATABASE_URL: z.string().min(1),
  /** Connections of one process at most; all processes together have to stay below what Postgres allows. */
  DATABASE_POOL: z.coerce.number().int().min(1).max(200).default(10),
});
export type PersistenceConfig = z.infer<typeof persistenceConfig>;

const SECOND = 1_000;
const MOST_WARM = 10;
const WARM_ATTEMPTS = 5;

@Global()
@Module({})
export class PersistenceModule implements OnModuleInit {
  constructor(
    @Inject(Database) private readonly database: Database,
    @Inject(Dependencies) private readonly dependencies: Dependencies,
  ) {}

  async onModuleInit(): Promise<void> {
    this.dependencies.register('postgres', () => this.database.query('SELECT 1'), { required: true });
    await this.connect();
  }

  /** Before anybody asks: under load a new process would let its first callers wait for all its connections at once. */
  private async connect(): Promise<void> {
    const count = Math.min(this.database.poolSize, MOST_WARM);
    for (let attempt = 0; attempt < WARM_ATTEMPTS; attempt++) {
      const made = await Promise.allSettled(Array.from({ length: count }, () => this.database.query('SELECT 1')));
      if (made.every(({ status }) => status === 'fulfilled')) return;
    }
  }

  /** `patienceMs`: how long a free connection is waited for; longer where a burst may queue, for what its caller waits longer for anyway. */
  static forRoot(options: {
    schema: string;
    config: PersistenceConfig;
    entities?: (EntitySchema | (new () => object))[];
    patienceMs?: number;
  }): DynamicModule {
    const { schema, config, entities = [], patienceMs = 2 * SECOND } = options;
    return {
      module: PersistenceModule,
      imports: [
        TypeOrmModule.forRoot({
          type: 'postgres',
          url: config.DATABASE_URL,
          schema,
          entities,
          synchronize: false,
          migrationsRun: false,
          installExtensions: false,
          logging: false,
          applicationName: schema,
          poolSize: config.DATABASE_POOL,
          poolErrorHandler: (error: unknown) => logger.warn({ err: error }, 'a database connection broke'),
          // At start the database may come later than we do.
          retryAttempts: 10_000,
          retryDelay: SECOND / 2,
          verboseRetryLog: false,
          extra: {
            connectionTimeoutMillis: patienceMs,
            statement_timeout: 10 * SECOND,
            query_timeout: 12 * SECOND,
            idle_in_transaction_session_timeout: 15 * SECOND,
            keepAlive: true,
          },
        }),
      ],
      providers: [Database],
      exports: [Database],
    };
  }
}
