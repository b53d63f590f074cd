import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';
import { z } from 'zod';
import { ConfigError, loadConfig } from '@classroom/platform/config';
import { identifier, protectRows, tenantRoleOf } from './row-security.js';

export const migrationConfig = z.object({
  /** The service's own role and its password. The migration creates the role if it does not exist, and sets the password. */
  DATABASE_URL: z.string().min(1),
  /** A role that may create roles and schemas. It owns the tables, so that the service's role can be denied permissions. Not through a pooler. */
  DATABASE_ADMIN_URL: z.string().min(1),
  /**
   * Connections that the service's role may open, so that one service cannot take all of Postgres's: at least DATABASE_POOL times the number
   * of its processes, among them those that a rollout replaces. Default: half of `max_connections`.
   */
  DATABASE_CONNECTION_LIMIT: z.coerce.number().int().min(1).optional(),
});

/** Any fixed number. Two migration jobs of one database wait for each other. */
const MIGRATION_LOCK = 7_261_953;
const LOCK_PAUSE_MS = 20;
/** Building an index of a large table is the longest thing that another migration job may be doing. */
const LOCK_TIMEOUT_MS = 30 * 60_000;
/** Of the service's role, and not of its connections: a transaction pooler shares connections, and passes on no other settings. */
const SETTINGS = { timezone: `'UTC'`, statement_timeout: `'10s'`, idle_in_transaction_session_timeout: `'15s'` };
/** Statements that Postgres cannot run in a transaction. A file with such a statement contains no other. */
const CONCURRENTLY = /^(?:CREATE|DROP)\s+(?:UNIQUE\s+)?INDEX\s+CONCURRENTLY\s+(?:IF\s+(?:NOT\s+)?EXISTS\s+)?(\w+)/i;

/**
 * Creates a service's role, sets its password and its limit of connections, creates its schema, and applies its SQL files (`<13 digits>-<name>.sql`, in the
 * order of the digits). Safe to repeat and to run concurrently. A statement that waits longer than 5 s for a lock fails, so that
 * other statements do not queue behind it.
 */
export async function runMigrations(options: {
  schema: string;
  directories: string[];
  config: z.infer<typeof migrationConfig>;
}): Promise<string[]> {
  const { schema, directories, config } = options;
  const admin = new DataSource({
    type: 'postgres',
    url: config.DATABASE_ADMIN_URL,
    installExtensions: false,
    extra: { max: 1, options: `-c search_path=${schema} -c statement_timeout=10min` },
    schema,
    migrations: directories.flatMap(readMigrations),
    migrationsTableName: 'migrations',
    migrationsTransactionMode: 'each',
  });
  await admin.initialize();
  try {
    await takeMigrationLock(admin);
    await refuseOtherBeginning(admin, schema);
    // It waits for other migrations, but not for a table that is in use: every other statement for that table would queue behind
    // it.
    await admin.query(`SET lock_timeout = '5s'`);
    const url = new URL(config.DATABASE_URL);
    await provisionRole(admin, schema, url);
    await limitConnections(admin, url.username, config.DATABASE_CONNECTION_LIMIT);
    await provisionTenantRole(admin, url.username);
    const applied = await admin.runMigrations();
    await grant(admin, schema, url.username);
    await grant(admin, schema, tenantRoleOf(url.username), { withPartitions: false });
    await protectRows(admin, schema, url.username);
    return applied.map(({ name }) => name);
  } finally {
    await admin.destroy();
  }
}

function readMigrations(directory: string): (new () => MigrationInterface)[] {
  const files = readdirSync(directory).filter((file) => file.endsWith('.sql'));
  return files.map((file) => {
    const [, digits, slug] = /^(\d{13})-([a-z0-9-]+)\.sql$/.exec(basename(file)) ?? [];
    if (!digits || !slug) throw new Error(`${file}: a migration is called <13 digits>-<name>.sql`);
    const sql = readFileSync(join(directory, file), 'utf8');
    const name = `${slug.replaceAll('-', '_')}_${digits}`;
    const index = CONCURRENTLY.exec(withoutComments(sql))?.[1];
    return class implements MigrationInterface {
      // TypeORM orders migrations by the digits at the end of their names.
      name = name;
      transaction = index === undefined;
      async up(runner: QueryRunner): Promise<void> {
        if (index === undefined) return void (await runner.query(sql));
        await dropUnfinished(runner, index);
        // Building the index of a large table may take long, and blocks no writer.
        await runner.query('SET statement_timeout = 0');
        await runner.query(sql).finally(() => runner.query('RESET statement_timeout'));
      }
      async down(): Promise<void> {
        throw new Error('Migrations go forward only: write one that undoes');
      }
    };
  });
}

/**
 * Polls instead of waiting in a statement: a waiting statement holds a snapshot, and CREATE INDEX CONCURRENTLY waits for every
 * snapshot.
 */
async function takeMigrationLock(admin: DataSource): Promise<void> {
  for (const since = Date.now(); Date.now() - since < LOCK_TIMEOUT_MS;) {
    const [row]: { taken: boolean }[] = await admin.query(`SELECT pg_try_advisory_lock(${MIGRATION_LOCK}) AS taken`);
    if (row?.taken) return;
    await new Promise((resolve) => setTimeout(resolve, LOCK_PAUSE_MS));
  }
  throw new Error('other migrations have been running for half an hour');
}

/**
 * The first file makes a whole schema and belongs to an empty one.
 * @throws if other files made it
 */
async function refuseOtherBeginning(admin: DataSource, schema: string): Promise<void> {
  const [table]: { found: boolean }[] = await admin.query(`SELECT to_regclass('migrations') IS NOT NULL AS found`);
  if (!table?.found) return;
  const applied: { name: string }[] = await admin.query('SELECT name FROM migrations');
  const [first] = admin.migrations.map(({ name = '' }) => name).sort((a, b) => Number(a.slice(-13)) - Number(b.slice(-13)));
  if (applied.length === 0 || applied.some(({ name }) => name === first)) return;
  throw new Error(`the schema ${schema} was made by a release before 0.2.0, which cannot be upgraded: start with an empty database`);
}

/** A failed index build leaves an invalid index that no query uses and that makes the next attempt fail. */
async function dropUnfinished(runner: QueryRunner, index: string): Promise<void> {
  const found: unknown[] = await runner.query(
    `SELECT 1 FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
      WHERE c.relname = $1 AND c.relnamespace = current_schema()::regnamespace AND NOT i.indisvalid`,
    [index.toLowerCase()],
  );
  if (found.length > 0) await runner.query(`DROP INDEX CONCURRENTLY ${identifier(index.toLowerCase())}`);
}

/** Does nothing if the role exists. */
async function createRole(admin: DataSource, name: string, login: 'LOGIN' | 'NOLOGIN'): Promise<void> {
  const found: unknown[] = await admin.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [name]);
  if (found.length === 0) await admin.query(`CREATE ROLE ${identifier(name)} ${login}`);
}

async function provisionRole(admin: DataSource, schema: string, url: URL): Promise<void> {
  const role = identifier(url.username);
  const password = decodeURIComponent(url.password);
  await createRole(admin, url.username, 'LOGIN');
  // Without a password the server authenticates the role by other means, such as a certificate. Only the verifier is sent,
  // because the server may log statements.
  if (password !== '') await admin.query(`ALTER ROLE ${role} PASSWORD '${scramVerifier(password)}'`);
  await admin.query(`CREATE SCHEMA IF NOT EXISTS ${identifier(schema)}`);
  const settings = { search_path: identifier(schema), ...SETTINGS };
  for (const [name, value] of Object.entries(settings)) await admin.query(`ALTER ROLE ${role} SET ${name} = ${value}`);
}

/** Limits how many connections the role has at the same time, also if it opens them in another role's name (`SET ROLE`). */
async function limitConnections(admin: DataSource, user: string, given: number | undefined): Promise<void> {
  const [{ half }]: [{ half: number }] = await admin.query(`SELECT ceil(current_setting('max_connections')::int / 2.0)::int AS half`);
  await admin.query(`ALTER ROLE ${identifier(user)} CONNECTION LIMIT ${given ?? half}`);
}

/** The service takes this role for each request of an organization; it does not inherit its permissions. */
async function provisionTenantRole(admin: DataSource, user: string): Promise<void> {
  const tenant = tenantRoleOf(user);
  await createRole(admin, tenant, 'NOLOGIN');
  await admin.query(`GRANT ${identifier(tenant)} TO ${identifier(user)} WITH INHERIT FALSE, SET TRUE`);
}

/** If a table's comment begins with `append-only`, the role may insert and read, but not update, delete or truncate. */
async function grant(admin: DataSource, schema: string, user: string, { withPartitions = true } = {}): Promise<void> {
  const role = identifier(user);
  const target = identifier(schema);
  await admin.query(`GRANT USAGE ON SCHEMA ${target} TO ${role}`);
  const tables: { name: string; appendOnly: boolean }[] = await admin.query(
    `SELECT c.relname AS name, coalesce(obj_description(c.oid, 'pg_class'), '') LIKE 'append-only%' AS "appendOnly"
       FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = $1 AND c.relkind IN ('r', 'p') AND c.relname <> 'migrations' AND ($2 OR NOT c.relispartition)`,
    [schema, withPartitions],
  );
  for (const { name, appendOnly } of tables) {
    const table = `${target}.${identifier(name)}`;
    await admin.query(`GRANT SELECT, INSERT${appendOnly ? '' : ', UPDATE, DELETE'} ON ${table} TO ${role}`);
    if (appendOnly) await admin.query(`REVOKE UPDATE, DELETE, TRUNCATE ON ${table} FROM ${role}`);
  }
  await admin.query(`GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA ${target} TO ${role}`);
}

const withoutComments = (sql: string) =>
  sql
    .split('\n')
    .filter((line) => !line.trimStart().startsWith('--'))
    .join('\n')
    .trim();

/** Postgres's default (`scram_iterations`). */
const ITERATIONS = 4096;

/**
 * The verifier that Postgres stores for a password (`SCRAM-SHA-256$<iterations>:<salt>$<stored key>:<server key>`, RFC 5803) and
 * accepts in place of it. It cannot be used to log in.
 */
function scramVerifier(password: string, salt = randomBytes(16)): string {
  // SASLprep requires this normalization; it does not change ASCII passwords.
  const salted = pbkdf2Sync(password.normalize('NFKC'), salt, ITERATIONS, 32, 'sha256');
  const keyFor = (whose: string) => createHmac('sha256', salted).update(whose).digest();
  const stored = createHash('sha256').update(keyFor('Client Key')).digest('base64');
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString('base64')}$${stored}:${keyFor('Server Key').toString('base64')}`;
}

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
