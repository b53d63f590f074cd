/** `npm run erase:messages`: deletes facts about erased people from the stream of the local stack, or of NATS_URL and DATABASE_URL. */
import path from 'node:path';
import { spawnSync } from 'node:child_process';
import { localDatabase, localNats } from './stack/local-addresses.ts';
import { REPO } from './stack/context.ts';
import { nodeBinary } from './stack/toolchain.ts';

const entry = path.join(REPO, 'apps', 'organization', 'dist', 'erase-messages.js');
const { DATABASE_URL = localDatabase('organization'), NATS_URL = localNats() } = process.env;
const { status } = spawnSync(nodeBinary(), [entry], { stdio: 'inherit', env: { ...process.env, DATABASE_URL, NATS_URL } });
process.exitCode = status ?? 1;
