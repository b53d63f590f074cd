/** `npm run dead-letters -- list | show <n> | replay <n>|all | drop <n>`: dead letters of the local stack, or of NATS_URL. */
import fs from 'node:fs';
import path from 'node:path';
import { spawnSync } from 'node:child_process';
import { natsUrl } from './stack/parts/nats.ts';
import { REPO, stackHome } from './stack/paths.ts';
import { derivePortBase, layOut, portFrom } from './stack/ports.ts';
import { APPS } from './stack/apps.ts';
import { readSecrets, secretsFile } from './stack/secrets.ts';
import { nodeBinary } from './stack/toolchain.ts';

/** @returns undefined if no stack was ever started here, or only by a version without a NATS password */
function localPassword() {
  const file = secretsFile(stackHome());
  return fs.existsSync(file) ? readSecrets(file).natsPassword : undefined;
}

function localNats() {
  const gateway = portFrom(process.env.GATEWAY_PORT, 'GATEWAY_PORT', 8080);
  const base = portFrom(process.env.STACK_PORT_BASE, 'STACK_PORT_BASE', derivePortBase(gateway));
  return natsUrl(
    layOut(
      base,
      APPS.map((app) => app.name),
    ).parts.nats,
    localPassword(),
  );
}

const entry = path.join(REPO, 'libs', 'messaging', 'dist', 'dead-letters', 'main.js');
const env = { ...process.env, NATS_URL: process.env.NATS_URL ?? localNats() };
const { status } = spawnSync(nodeBinary(), [entry, ...process.argv.slice(2)], { stdio: 'inherit', env });
process.exitCode = status ?? 1;
