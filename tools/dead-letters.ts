/** `npm run dead-letters -- list | show <n> | replay <n>|all | drop <n>`: dead letters of the local stack, or of NATS_URL. */
import path from 'node:path';
import { spawnSync } from 'node:child_process';
import { localNats } from './stack/local-addresses.ts';
import { REPO } from './stack/context.ts';
import { nodeBinary } from './stack/toolchain.ts';

const entry = path.join(REPO, 'libs', 'messaging', 'dist', 'dead-letters', 'main.js');
const env = { ...process.env, NATS_URL: process.env.NATS_URL ?? localNats() };
const { status } = spawnSync(nodeBinary(), [entry, ...process.argv.slice(2)], { stdio: 'inherit', env });
process.exitCode = status ?? 1;
