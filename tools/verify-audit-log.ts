/** `npm run verify:audit-log [-- <file with earlier heads>]`: verifies the audit log of the local stack, or of DATABASE_URL. */
import path from 'node:path';
import { spawnSync } from 'node:child_process';
import { localDatabase } from './stack/local-addresses.ts';
import { REPO } from './stack/context.ts';
import { nodeBinary } from './stack/toolchain.ts';

const entry = path.join(REPO, 'apps', 'organization', 'dist', 'verify-audit.js');
const env = { ...process.env, DATABASE_URL: process.env.DATABASE_URL ?? localDatabase('organization') };
const { status } = spawnSync(nodeBinary(), [entry, ...process.argv.slice(2)], { stdio: 'inherit', env });
process.exitCode = status ?? 1;
