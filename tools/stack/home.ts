import fs from 'node:fs';
import path from 'node:path';
import { outsideHome, StackError, writePrivate } from './context.ts';
import { endOrphans, runDir, tryLock } from './pidfile.ts';
import { readSecrets, secretsFile } from './secrets.ts';

/** Everything that a stack creates in its home. Other files are kept, because the home may be a folder that contains more. */
const STACK_FILES = [
  'postgres',
  'postgres.new',
  'pgbouncer',
  'clickhouse',
  'nats',
  'redis',
  'livekit',
  's3',
  'recorder',
  'media',
  'logs',
  'traces',
  'secrets.json',
  'run',
];

/**
 * Deletes data, secrets and logs of the home, inside and outside of it.
 * @throws {StackError} if a stack is running there
 */
export async function wipeHome(home: string) {
  if (fs.existsSync(home)) {
    const lock = tryLock(path.join(runDir(home), 'launcher.pid'));
    if ('holder' in lock) throw new StackError(`A stack runs in ${home} (pid ${lock.holder}): stop it first, then reset.`);
    await endOrphans(home);
    for (const name of STACK_FILES) fs.rmSync(path.join(home, name), { recursive: true, force: true });
    if (fs.readdirSync(home).length === 0) fs.rmdirSync(home);
  }
  fs.rmSync(outsideHome(home), { recursive: true, force: true });
}

/** JetStream's files, below the folder of NATS. */
const STREAMS = path.join('nats', 'jetstream');

/**
 * Gives a new home the streams of a template, and the passwords that its database knows. Postgres's data is copied when Postgres starts.
 * @param template home of a stopped stack, made by `makeTemplate`
 */
export function copyTemplate(template: string, home: string): void {
  const { postgresPassword, databasePasswords } = readSecrets(secretsFile(template));
  writePrivate(secretsFile(home), JSON.stringify({ postgresPassword, databasePasswords }));
  const streams = path.join(template, STREAMS);
  if (fs.existsSync(streams)) fs.cpSync(streams, path.join(home, STREAMS), { recursive: true });
}

/** The home of the template that has a database and nothing in it, next to a template with schemas. */
export const blankOf = (template: string) => `${template}-blank`;

/** The option `template` for a test's parts: a database without schemas. */
export const fromBlankTemplate = (): { template?: string } =>
  process.env.STACK_TEMPLATE ? { template: blankOf(process.env.STACK_TEMPLATE) } : {};

/** The option `template` for a test's stack. `npm test` makes a template once and names it in STACK_TEMPLATE. */
export const fromTemplate = (): { template?: string } => (process.env.STACK_TEMPLATE ? { template: process.env.STACK_TEMPLATE } : {});
