import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import { MESSAGING_MIGRATIONS } from '@classroom/messaging';
import { connect, runMigrations } from '@classroom/persistence';
import type { TestStack } from '@classroom/testing';
import { entities } from '../../src/schema/sql.js';

/** Migrates the schema in the stack's Postgres and connects as the service's own role. */
export async function connectMigrated(stack: TestStack): Promise<DataSource> {
  const url = new URL(stack.urls.postgresAdmin);
  url.username = 'classroom_organization';
  url.password = 'pw';
  const config = { DATABASE_URL: url.href, DATABASE_ADMIN_URL: stack.urls.postgresAdmin };
  await runMigrations({ schema: 'organization', directories: [MESSAGING_MIGRATIONS, join(__dirname, '..', '..', 'migrations')], config });
  return connect({ url: url.href, schema: 'organization', entities });
}
