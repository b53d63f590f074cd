/**
 * The operator's command: `node dist/verify-audit.js [<file>] [--keep]`, with DATABASE_URL. Prints the newest entry of each log as JSON, one a line, and
 * exits with 1 if a log was changed. The file has such lines of an earlier run: their entries must still exist. With `--keep` these are the lines of
 * the last run that found everything intact, in the object storage (S3_…), and those of this run are added if it does.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { connect } from '@classroom/persistence';
import { loadConfig } from '@classroom/platform/config';
import { ObjectStorage, storageConfig } from '@classroom/storage';
import { z } from 'zod';
import { KeptHeads, parseHeads, printHeads } from './audit/kept-heads.js';
import { verifyLogs, type KeptHead } from './audit/verify-log.js';
import { entities } from './schema/sql.js';

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { keep: { type: 'boolean', default: false } } });
  const [file] = positionals;
  const storage = values.keep ? new ObjectStorage(loadConfig(storageConfig)) : undefined;
  const heads = storage && new KeptHeads(storage);
  try {
    const kept = [...(file === undefined ? [] : parseHeads(readFileSync(file, 'utf8'))), ...((await heads?.newest()) ?? [])];
    const found = await verify(kept);
    process.stdout.write(printHeads(found));
    // What was changed is found again by each later run.
    if (!process.exitCode) await heads?.keep(found, new Date());
  } finally {
    storage?.close();
  }
}

/** @returns the newest entry of each log */
async function verify(kept: readonly KeptHead[]): Promise<KeptHead[]> {
  const { DATABASE_URL: url } = loadConfig(z.object({ DATABASE_URL: z.string().min(1) }));
  const source = await connect({ url, schema: 'organization', entities, poolSize: 1 });
  try {
    const { logs, lost } = await verifyLogs(source, kept);
    for (const { organizationId, problems } of logs) for (const problem of problems) complain(`log of ${organizationId}: ${problem}`);
    for (const { entryId } of lost) complain(`entry ${entryId} was removed or changed`);
    const entries = logs.reduce((sum, log) => sum + log.entries, 0);
    process.stderr.write(`${logs.length} logs, ${entries} entries: ${process.exitCode ? 'changed' : 'intact'}\n`);
    return logs.flatMap(({ head }) => head ?? []);
  } finally {
    await source.destroy();
  }
}

function complain(text: string): void {
  process.stderr.write(`${text}\n`);
  process.exitCode = 1;
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
