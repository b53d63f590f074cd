import fs from 'node:fs';
import path from 'node:path';
import { randomBytes } from 'node:crypto';
import { APPS } from './apps.ts';
import { StackError } from './errors.ts';

const token = (bytes = 24) => randomBytes(bytes).toString('hex');

export type Secrets = ReturnType<typeof fresh>;

/** What a fresh home gets; an older file keeps its values and receives what came later. */
function fresh() {
  return {
    dispatchSecret: token(),
    postgresPassword: token(),
    natsPassword: token(),
    redisPassword: token(),
    databasePasswords: Object.fromEntries(APPS.filter((app) => app.schema).map((app) => [app.name, token()])) as Record<string, string>,
    livekitApiKey: `API${token(6)}`,
    // LiveKit refuses to sign webhooks with fewer than 32 characters.
    livekitApiSecret: token(32),
    classroomTokenSecret: token(32),
    dashboardTokenSecret: token(32),
    mediaSigningKey: token(32),
    aiKeySecret: token(32),
    webhookKeySecret: token(32),
    s3AccessKeyId: token(10).toUpperCase(),
    s3SecretAccessKey: token(20),
    organizationId: `org_${token(10)}`,
  };
}

/** @throws {StackError} new secrets would not open the database that the old ones made */
export function readSecrets(file: string): Partial<Secrets> {
  try {
    const secrets: unknown = JSON.parse(fs.readFileSync(file, 'utf8'));
    if (secrets !== null && typeof secrets === 'object' && !Array.isArray(secrets)) return secrets;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new StackError(`${file} is damaged: restore it from a backup, or wipe this stack's data and secrets with npm run reset.`);
}

export const secretsFile = (home: string) => path.join(home, 'secrets.json');

/**
 * Reads, completes and keeps the home's secrets (mode 0600). What the environment gives wins and is not written down.
 * @throws {StackError} when the file is there and can't be read; it stays as it is
 */
export function loadSecrets(home: string, env: NodeJS.ProcessEnv = process.env): Secrets {
  const file = secretsFile(home);
  const made = fresh();
  const had = fs.existsSync(file) ? readSecrets(file) : {};
  const all: Secrets = { ...made, ...had, databasePasswords: { ...made.databasePasswords, ...had.databasePasswords } };
  if (JSON.stringify(all) !== JSON.stringify(had)) {
    // Written beside and renamed: a crash in between would otherwise lose the passwords of a database that exists.
    const beside = `${file}.${process.pid}`;
    fs.writeFileSync(beside, `${JSON.stringify(all, null, 2)}\n`, { mode: 0o600 });
    fs.renameSync(beside, file);
  }
  return env.DISPATCH_SECRET ? { ...all, dispatchSecret: env.DISPATCH_SECRET } : all;
}
