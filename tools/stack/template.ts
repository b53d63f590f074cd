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
