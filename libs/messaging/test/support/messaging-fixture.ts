import { jetstream, type JetStreamClient } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import type { DataSource } from 'typeorm';
import { connect, Database, runMigrations } from '@classroom/persistence';
import { TestStack } from '@classroom/testing';
import { applyStreams, connectNats, MESSAGING_MIGRATIONS, StreamPublisher } from '../../src/index.js';

const SCHEMA = 'thing';

/** A real Postgres with a schema that has outbox and inbox, and a real NATS with the declared streams. */
export class MessagingFixture {
  private constructor(
    readonly stack: TestStack,
    readonly connection: NatsConnection,
    readonly jetstream: JetStreamClient,
    readonly publisher: StreamPublisher,
    private readonly dataSource: DataSource,
    readonly database: Database,
  ) {}

  static async start(): Promise<MessagingFixture> {
    const stack = await TestStack.parts(['postgres', 'nats']);
    const connection = await connectNats(stack.urls.nats, 'test');
    await applyStreams(connection);
    const url = new URL(stack.urls.postgresAdmin);
    url.username = `classroom_${SCHEMA}`;
    url.password = 'pw';
    const migration = {
      schema: SCHEMA,
      directories: [MESSAGING_MIGRATIONS],
      config: { DATABASE_URL: url.href, DATABASE_ADMIN_URL: stack.urls.postgresAdmin },
    };
    await runMigrations(migration);
    // Two concurrent repetitions change nothing.
    await Promise.all([1, 2].map(() => runMigrations(migration)));
    const dataSource = await connect({ url: url.href, schema: SCHEMA });
    return new MessagingFixture(
      stack,
      connection,
      jetstream(connection),
      new StreamPublisher(connection),
      dataSource,
      new Database(dataSource),
    );
  }

  async count(sql: string): Promise<number> {
    const [row] = await this.query<{ count: number }>(`SELECT count(*) AS count FROM ${sql}`);
    return row?.count ?? 0;
  }

  query<R>(sql: string, parameters: unknown[] = []): Promise<R[]> {
    return this.dataSource.query(sql, parameters);
  }

  async stop(): Promise<void> {
    await this.dataSource.destroy();
    await this.connection.close();
    await this.stack.stop();
  }
}
