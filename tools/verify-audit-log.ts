/** `npm run verify:audit-log [-- <file with earlier heads>]`: verifies the audit log of the local stack, or of DATABASE_URL. */
import path from 'node:path';
import { spawnSync } from 'node:child_process';
import { APPS } from './stack/apps.ts';
import { databaseUrl } from './stack/environment.ts';
import { DATABASE } from './stack/parts/postgres.ts';
import { REPO, stackHome } from './stack/paths.ts';
import { derivePortBase, layOut, portFrom } from './stack/ports.ts';
import { readSecrets, secretsFile } from './stack/secrets.ts';
import { nodeBinary } from './stack/toolchain.ts';

function localDatabase() {
  const gateway = portFrom(process.env.GATEWAY_PORT, 'GATEWAY_PORT', 8080);
  const base = portFrom(process.env.STACK_PORT_BASE, 'STACK_PORT_BASE', derivePortBase(gateway));
  const names = APPS.map((app) => app.name);
  const { databasePasswords } = readSecrets(secretsFile(stackHome()));
  return databaseUrl(
    `postgres://127.0.0.1:${layOut(base, names).parts.postgres}/${DATABASE}`,
    'organization',
    databasePasswords?.['organization'] ?? '',
  );
}

const entry = path.join(REPO, 'apps', 'organization', 'dist', 'verify-audit.js');
const env = { ...process.env, DATABASE_URL: process.env.DATABASE_URL ?? localDatabase() };
const { status } = spawnSync(nodeBinary(), [entry, ...process.argv.slice(2)], { stdio: 'inherit', env });
process.exitCode = status ?? 1;
