/**
 * The operator's command: `node dist/verify-audit.js [<file>]`, with DATABASE_URL. Prints the newest entry of each log as JSON, one a line, and
 * exits with 1 if a log was changed. The file has such lines of an earlier run: their entries must still exist.
 */
import { readFileSync } from 'node:fs';
import { connect } from '@classroom/persistence';
import { loadConfig } from '@classroom/platform/config';
import { z } from 'zod';
import { verifyLogs, type KeptHead } from './audit/verify-log.js';
import { entities } from './schema/sql.js';

const keptHead = z.object({ entryId: z.string(), hash: z.string() });

const readHeads = (file: string): KeptHead[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => keptHead.parse(JSON.parse(line)));

async function main(): Promise<void> {
  const [file] = process.argv.slice(2);
  const kept = file === undefined ? [] : readHeads(file);
  const { DATABASE_URL: url } = loadConfig(z.object({ DATABASE_URL: z.string().min(1) }));
  const source = await connect({ url, schema: 'organization', entities, poolSize: 1 });
  try {
    const { logs, lost } = await verifyLogs(source, kept);
    for (const { head } of logs) if (head) process.stdout.write(`${JSON.stringify(head)}\n`);
    for (const { organizationId, problems } of logs) for (const problem of problems) complain(`log of ${organizationId}: ${problem}`);
    for (const { entryId } of lost) complain(`entry ${entryId} was removed or changed`);
    const entries = logs.reduce((sum, log) => sum + log.entries, 0);
    process.stderr.write(`${logs.length} logs, ${entries} entries: ${process.exitCode ? 'changed' : 'intact'}\n`);
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
