/** Where the parts of the local stack listen, for commands of operators. */
import fs from 'node:fs';
import { APPS } from './apps.ts';
import { databaseUrl } from './environment.ts';
import { natsUrl } from './parts/nats.ts';
import { DATABASE } from './parts/postgres.ts';
import { stackHome } from './context.ts';
import { derivePortBase, layOut, portFrom } from './ports.ts';
import { readSecrets, secretsFile } from './secrets.ts';

function localPorts() {
  const gateway = portFrom(process.env.GATEWAY_PORT, 'GATEWAY_PORT', 8080);
  const base = portFrom(process.env.STACK_PORT_BASE, 'STACK_PORT_BASE', derivePortBase(gateway));
  const names = APPS.map((app) => app.name);
  return layOut(base, names).parts;
}

/** @returns undefined if no stack was ever started here */
function localSecrets() {
  const file = secretsFile(stackHome());
  return fs.existsSync(file) ? readSecrets(file) : undefined;
}

/** Of the user `operator`; without a password if the stack was started by a version that had none. */
export const localNats = () => natsUrl(localPorts().nats, localSecrets()?.natsPassword);

/** Of a service's role. */
export const localDatabase = (app: string) =>
  databaseUrl(`postgres://127.0.0.1:${localPorts().postgres}/${DATABASE}`, app, localSecrets()?.databasePasswords?.[app as never] ?? '');
