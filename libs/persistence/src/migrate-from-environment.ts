import { ConfigError, loadConfig } from '@classroom/platform/config';
import { migrationConfig, runMigrations } from './migrate.js';

/** The whole migrate.ts of a service: reads DATABASE_URL and DATABASE_ADMIN_URL, migrates, and prints what it applied. */
export function migrateFromEnvironment(schema: string, directories: string[]): void {
  const run = async () => {
    const config = loadConfig(migrationConfig);
    const applied = await runMigrations({ schema, directories, config });
    process.stdout.write(`${schema}: ${applied.length === 0 ? 'nothing to migrate' : `applied ${applied.join(', ')}`}\n`);
  };
  run().catch((error: unknown) => {
    const message = error instanceof Error ? error.message : String(error);
    process.stderr.write(error instanceof ConfigError ? `${message}\n` : `${schema} could not be migrated: ${message}\n`);
    process.exit(1);
  });
}
