/**
 * The operator's command: `node dist/verify-audit.js [<file>] [--keep]`, with DATABASE_URL. Prints the newest entry of each log as JSON, one a line, and
 * exits with 1 if a log was changed. The file has such lines of an earlier run: their entries must still exist. With `--keep` these are the lines of
 * the last run that found everything intact, in the object storage (S3_…), and those of this run are added if it does, signed with AUDIT_SIGNING_KEY. Only
 * this command may have that key.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { connect } from '@classroom/persistence';
import { ed25519PrivateKey } from '@classroom/platform';
import { loadConfig } from '@classroom/platform/config';
import { ObjectStorage, storageConfig } from '@classroom/storage';
import { z } from 'zod';
import { KeptHeads, parseHeads, printHeads, verifyLogs, type Kept, type KeptHead, type Verification } from './audit/verify-log.js';
import { entities } from './schema/sql.js';

const HOUR_MS = 3_600_000;
const config = z.object({
  DATABASE_URL: z.string().min(1),
  /** As the service has it. */
  ERASURE_COOL_DOWN_HOURS: z.coerce.number().min(0).default(72),
  /** Private keys (Ed25519, PKCS 8 as DER in base64), separated by commas: the first one signs, all verify. */
  AUDIT_SIGNING_KEY: z.string().optional(),
});

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { keep: { type: 'boolean', default: false } } });
  const [file] = positionals;
  const { DATABASE_URL: url, ERASURE_COOL_DOWN_HOURS: hours, AUDIT_SIGNING_KEY: secrets } = loadConfig(config);
  const keys = secrets ? secrets.split(',').map((secret) => ed25519PrivateKey('AUDIT_SIGNING_KEY', secret)) : [];
  const storage = values.keep ? new ObjectStorage(loadConfig(storageConfig)) : undefined;
  const heads = storage && new KeptHeads(storage, keys);
  try {
    const kept: Kept = (await heads?.newest()) ?? { heads: [] };
    if (kept.problem !== undefined) complain(kept.problem);
    const given = file === undefined ? [] : parseHeads(readFileSync(file, 'utf8'));
    const now = new Date();
    const found = await verify(url, [...given, ...kept.heads]);
    for (const organizationId of hastilyErased(found, kept, now.getTime() - hours * HOUR_MS))
      complain(`log of ${organizationId}: its erasure was requested and completed within the cool-down`);
    const entries = found.logs.reduce((sum, log) => sum + log.entries, 0);
    process.stderr.write(`${found.logs.length} logs, ${entries} entries: ${process.exitCode ? 'changed' : 'intact'}\n`);
    const ends = found.logs.flatMap(({ head }) => head ?? []);
    process.stdout.write(printHeads(ends));
    // What was changed is found again by each later run.
    if (!process.exitCode) await heads?.keep(ends, found.erasing, now);
  } finally {
    storage?.close();
  }
}

async function verify(url: string, kept: readonly KeptHead[]): Promise<Verification> {
  const source = await connect({ url, schema: 'organization', entities, poolSize: 1 });
  try {
    const found = await verifyLogs(source, kept);
    for (const { organizationId, problems } of found.logs) for (const problem of problems) complain(`log of ${organizationId}: ${problem}`);
    for (const { entryId } of found.lost) complain(`entry ${entryId} was removed or changed`);
    return found;
  } finally {
    await source.destroy();
  }
}

/**
 * Organizations whose erasure is completed, and was not even requested when the heads were kept, less than a cool-down ago: the service that was taken over
 * could write such a row to delete a log.
 */
const hastilyErased = ({ erased }: Verification, { state }: Kept, coolDownBegan: number): string[] =>
  state && state.at.getTime() > coolDownBegan ? erased.filter((organizationId) => !state.erasing.has(organizationId)) : [];

function complain(text: string): void {
  process.stderr.write(`${text}\n`);
  process.exitCode = 1;
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
