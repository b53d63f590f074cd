/** `npm run operate -- <program> …`: an operator's program, on the local stack or the servers that NATS_URL and DATABASE_URL name. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { APP_NAMES } from './stack/apps.ts';
import { printError, REPO, StackError, stackHome } from './stack/context.ts';
import { databaseUrl } from './stack/environment.ts';
import { natsUrl } from './stack/parts/nats.ts';
import { DATABASE } from './stack/parts/postgres.ts';
import { portsFrom } from './stack/ports.ts';
import { readSecrets, secretsFile } from './stack/secrets.ts';
import { nodeBinary } from './stack/toolchain.ts';

const PROGRAMS: Record<string, string> = {
  'dead-letters': 'libs/messaging/dist/dead-letters/main.js',
  'verify-audit-log': 'apps/organization/dist/verify-audit.js',
  'erase-messages': 'apps/organization/dist/erase-messages.js',
};

/** Where the parts of the local stack listen: NATS for the user `operator`, Postgres for the role of the organization service. */
function localAddresses() {
  const file = secretsFile(stackHome());
  const { natsPassword, databasePasswords } = fs.existsSync(file) ? readSecrets(file) : {};
  const { nats, postgres } = portsFrom(APP_NAMES).parts;
  const database = `postgres://127.0.0.1:${postgres}/${DATABASE}`;
  return {
    NATS_URL: natsUrl(nats, natsPassword),
    DATABASE_URL: databaseUrl(database, 'organization', databasePasswords?.['organization'] ?? ''),
  };
}

const [name = '', ...args] = process.argv.slice(2);
try {
  const program = PROGRAMS[name];
  if (!program) throw new StackError(`Name a program: npm run operate -- ${Object.keys(PROGRAMS).join(' | ')}.`);
  const env = { ...localAddresses(), ...process.env };
  process.exitCode = spawnSync(nodeBinary(), [path.join(REPO, program), ...args], { stdio: 'inherit', env }).status ?? 1;
} catch (error) {
  printError(error);
  process.exitCode = 1;
}
