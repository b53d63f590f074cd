import fs from 'node:fs';
import path from 'node:path';
import { writePrivate } from './paths.ts';
import { readSecrets, secretsFile } from './secrets.ts';

/** JetStream's files, below the folder of NATS. */
const STREAMS = path.join('nats', 'jetstream');

/**
 * Gives a new home the streams of a template, and the passwords that its database knows. Postgres's data is copied when Postgres starts.
 * @param template home of a stopped stack, made by `makeTemplate`
 */
export function copyTemplate(template: string, home: string): void {
  const { postgresPassword, databasePasswords } = readSecrets(secretsFile(template));
  writePrivate(secretsFile(home), JSON.stringify({ postgresPassword, databasePasswords }));
  fs.cpSync(path.join(template, STREAMS), path.join(home, STREAMS), { recursive: true });
}

/** The option `template` for a test's stack. `npm test` makes a template once and names it in STACK_TEMPLATE. */
export const fromTemplate = (): { template?: string } => (process.env.STACK_TEMPLATE ? { template: process.env.STACK_TEMPLATE } : {});
