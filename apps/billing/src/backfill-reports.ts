import { connect, Database } from '@classroom/persistence';
import { readConfig } from './config.js';
import { entities } from './schema/sql.js';
import { BackfillRepository } from './reports/copies.repository.js';
import { BackfillSessions } from './reports/copy-sessions.js';
import { Clickhouse } from './reports/clickhouse.js';
import { ClickhouseSessionsRepository } from './reports/clickhouse-sessions.repository.js';
import { RoomsRepository } from './reports/rooms.repository.js';

const CHUNKS_PER_LINE = 100;

/** `node dist/backfill-reports.js [connection sid]` copies all sessions to ClickHouse, or those after the given one. */
async function backfill(after: string | undefined): Promise<void> {
  const config = readConfig();
  if (config.REPORTS_CLICKHOUSE_URL === undefined) throw new Error('REPORTS_CLICKHOUSE_URL is not set');
  const dataSource = await connect({ url: config.DATABASE_URL, schema: 'billing', entities, poolSize: 1 });
  const clickhouse = await Clickhouse.open(config.REPORTS_CLICKHOUSE_URL);
  const database = new Database(dataSource);
  const target = new ClickhouseSessionsRepository(clickhouse, new RoomsRepository(database));
  let chunks = 0;
  let progress = { copied: 0, last: after ?? '' };
  try {
    for await (progress of new BackfillSessions(new BackfillRepository(database), target).run(after)) {
      if (++chunks % CHUNKS_PER_LINE === 0) process.stdout.write(`${progress.copied} sessions copied, the last is ${progress.last}\n`);
    }
    process.stdout.write(`done: ${progress.copied} sessions copied\n`);
  } catch (error) {
    process.stderr.write(`continue with: node dist/backfill-reports.js ${progress.last}\n`);
    throw error;
  } finally {
    await clickhouse.onApplicationShutdown();
    await dataSource.destroy();
  }
}

backfill(process.argv[2]).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
