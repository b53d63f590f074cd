/** The NATS part of the migration step: `node dist/streams/apply.js`. */
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { loadConfig } from '@classroom/platform/config';
import { connectNats } from '../connection.js';
import { applyStreams } from './apply-streams.js';

/** The version of the app in whose image this runs, which is in its working directory. */
const ownVersion = async () => (JSON.parse(await readFile('package.json', 'utf8')) as { version: string }).version;

async function main(): Promise<void> {
  const config = loadConfig(
    z.object({
      NATS_URL: z.string(),
      NATS_STREAM_REPLICAS: z.coerce.number().int().min(1).max(5).default(1),
      NATS_STREAM_STORAGE_MIB: z.coerce.number().int().min(0).default(0),
    }),
  );
  const connection = await connectNats(config.NATS_URL, 'apply-streams');
  const { NATS_STREAM_REPLICAS: replicas, NATS_STREAM_STORAGE_MIB: storageMib } = config;
  const version = await ownVersion();
  const applied = await applyStreams(connection, { replicas, storageMib, version });
  if (applied !== version)
    process.stdout.write(`The streams are those of version ${applied}, and were not changed: this is version ${version}.\n`);
  await connection.close();
}

main().catch((error: unknown) => {
  process.stderr.write(`The streams could not be applied: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
