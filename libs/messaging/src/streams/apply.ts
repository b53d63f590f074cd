/** The NATS part of the migration step: `node dist/streams/apply.js`. */
import { z } from 'zod';
import { loadConfig } from '@classroom/platform/config';
import { connectNats } from '../connection.js';
import { applyStreams } from './apply-streams.js';

async function main(): Promise<void> {
  const config = loadConfig(
    z.object({
      NATS_URL: z.string(),
      NATS_STREAM_REPLICAS: z.coerce.number().int().min(1).max(5).default(1),
      NATS_STREAM_STORAGE_MIB: z.coerce.number().int().min(0).default(0),
    }),
  );
  const connection = await connectNats(config.NATS_URL, 'apply-streams');
  await applyStreams(connection, { replicas: config.NATS_STREAM_REPLICAS, storageMib: config.NATS_STREAM_STORAGE_MIB });
  await connection.close();
}

main().catch((error: unknown) => {
  process.stderr.write(`The streams could not be applied: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
