/**
 * The operator's command: `node dist/erase-messages.js`, with DATABASE_URL of this service and NATS_URL of the user `operator`. Deletes facts about erased
 * subjects from the stream, which would otherwise expire. Exits with 1 if that was not possible.
 */
import { connectNats } from '@classroom/messaging';
import { connect } from '@classroom/persistence';
import { loadConfig } from '@classroom/platform/config';
import { IsNull, Not } from 'typeorm';
import { z } from 'zod';
import { eraseMessages, type CompletedErasure } from './privacy/erase-messages.js';
import { ErasureEntity } from './schema/erasure.entity.js';
import { entities } from './schema/sql.js';

async function main(): Promise<void> {
  const address = z.string().min(1);
  const { DATABASE_URL: url, NATS_URL: nats } = loadConfig(z.object({ DATABASE_URL: address, NATS_URL: address }));
  const source = await connect({ url, schema: 'organization', entities, poolSize: 1 });
  const connection = await connectNats(nats, 'operator');
  try {
    const rows = await source.manager.find(ErasureEntity, { where: { completedAt: Not(IsNull()) } });
    const erasures = rows.flatMap(({ completedAt, receipt, ...row }): CompletedErasure[] =>
      completedAt && receipt ? [{ ...row, completedAt, subjectHash: receipt.subjectHash }] : [],
    );
    const { read, deleted, kept, deadLetters } = await eraseMessages(connection, erasures, (so) =>
      process.stderr.write(`${so} messages read\n`),
    );
    process.stdout.write(
      `${erasures.length} erasures, ${read} messages read, ${deleted} deleted, ${kept} not yet acknowledged by all consumers\n` +
        (deadLetters > 0
          ? `${deadLetters} dead letters are about erased subjects: replay or drop them (npm run operate -- dead-letters)\n`
          : ''),
    );
  } finally {
    await connection.close();
    await source.destroy();
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
