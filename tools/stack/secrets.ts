import { createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { APPS } from './apps.ts';
import { StackError } from './context.ts';

/** Users of Redis. The default user may do everything; apps and LiveKit have users of their own. */
export const REDIS_USERS = ['organization', 'room', 'recording', 'billing', 'media', 'gateway', 'livekit'] as const;
/** Users of the storage. Each has a key whose id is its name. The root key is for the launcher and for tests. */
export const S3_USERS = ['gateway', 'recording', 'recorder', 'media', 'ai', 'organization', 'egress'] as const;

const token = (bytes = 24) => randomBytes(bytes).toString('hex');

export type Secrets = ReturnType<typeof fresh>;

/** The secrets of a new home. An existing file keeps its values, and gets the secrets that were added later. */
function fresh() {
  return {
    dispatchSecret: token(),
    postgresPassword: token(),
    natsPassword: token(),
    natsPasswords: Object.fromEntries(APPS.map((app) => [app.name, token()])) as Record<string, string>,
    redisPassword: token(),
    redisPasswords: Object.fromEntries(REDIS_USERS.map((user) => [user, token()])) as Record<string, string>,
    databasePasswords: Object.fromEntries(APPS.filter((app) => app.schema).map((app) => [app.name, token()])) as Record<string, string>,
    livekitApiKey: `API${token(6)}`,
    // LiveKit refuses to sign webhooks with a secret of fewer than 32 characters.
    livekitApiSecret: token(32),
    classroomTokenSecret: token(32),
    dashboardTokenSecret: token(32),
    callerSigningKey: newCallerKey(),
    mediaSigningKey: token(32),
    aiKeySecret: token(32),
    webhookKeySecret: token(32),
    recordingKeySecret: token(32),
    s3AccessKeyId: token(10).toUpperCase(),
    s3SecretAccessKey: token(20),
    s3Secrets: Object.fromEntries(S3_USERS.map((user) => [user, token(20)])) as Record<string, string>,
    /** Of the demo organization. */
    credential: `vfo_${token(16)}`,
  };
}

/** @throws {StackError} if the file is damaged: new secrets would not open the existing database */
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
 * Reads the secrets of the home, adds missing ones, and stores them (mode 0600). A value from the environment takes precedence and is not stored.
 * @throws {StackError} if the file exists but can't be read; the file is left unchanged
 */
export function loadSecrets(home: string, env: NodeJS.ProcessEnv = process.env): Secrets {
  const file = secretsFile(home);
  const made = fresh();
  const had = fs.existsSync(file) ? readSecrets(file) : {};
  const all: Secrets = {
    ...made,
    ...had,
    databasePasswords: { ...made.databasePasswords, ...had.databasePasswords },
    natsPasswords: { ...made.natsPasswords, ...had.natsPasswords },
    redisPasswords: { ...made.redisPasswords, ...had.redisPasswords },
    s3Secrets: { ...made.s3Secrets, ...had.s3Secrets },
  };
  if (JSON.stringify(all) !== JSON.stringify(had)) {
    // Written to a temporary file and renamed: a crash during the write would lose the passwords of an existing database.
    const temporary = `${file}.${process.pid}`;
    fs.writeFileSync(temporary, `${JSON.stringify(all, null, 2)}\n`, { mode: 0o600 });
    fs.renameSync(temporary, file);
  }
  return env.DISPATCH_SECRET ? { ...all, dispatchSecret: env.DISPATCH_SECRET } : all;
}

/** A key with which the gateway signs statements of callers, as in CALLER_SIGNING_KEY. */
export const newCallerKey = () => generateKeyPairSync('ed25519').privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');

/** Its public key, as in CALLER_PUBLIC_KEYS. */
export function publicCallerKey(key: string): string {
  const secret = createPrivateKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'pkcs8' });
  return createPublicKey(secret).export({ format: 'der', type: 'spki' }).toString('base64');
}
