import { createRequire } from 'node:module';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from 'pg';
import { APP_NAMES } from '../stack/apps.ts';
import { migrate, pickPorts, startParts } from '../stack/index.ts';
import { REPO } from '../stack/context.ts';

/** Runs `work` with a real Postgres that has the tables of all services. `url` connects as the database administrator. */
export async function withTables<T>(work: (connect: (schema: string) => Promise<Client>, url: string) => Promise<T>): Promise<T> {
  const { Client: PgClient } = createRequire(join(REPO, 'libs/persistence/package.json'))('pg') as typeof import('pg');
  const home = mkdtempSync(join(tmpdir(), 'classroom-sql-'));
  const stack = await startParts({ home, parts: ['postgres', 'nats'], external: false, ...(await pickPorts()) });
  const clients: Client[] = [];
  try {
    await migrate(stack, APP_NAMES);
    return await work(async (schema) => {
      const client = new PgClient({ connectionString: stack.urls.postgresAdmin, options: `-c search_path=${schema}` });
      await client.connect();
      clients.push(client);
      return client;
    }, stack.urls.postgresAdmin);
  } finally {
    await Promise.all(clients.map((client) => client.end()));
    await stack.stop();
    rmSync(home, { recursive: true, force: true });
  }
}
