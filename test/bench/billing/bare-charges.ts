// Only the writes of a charge, by a single writer: entries, account, fact, meters, with one commit per batch.
import { randomUUID } from 'node:crypto';
import type { BenchStack } from './stack.ts';
import type { Client } from 'pg';

const TABLES = ['accounts', 'ledger_entries', 'room_meters', 'outbox'];

const ENTRIES = `
  INSERT INTO bench_charges.ledger_entries (entry_id, organization_id, kind, debit_account, credit_account, credits, credit_rate, currency, cycle_start,
                                            recorded_at, sid, room_id, meter_sequence, meter_version, total_seconds, charged_through)
  SELECT entry_id, $1, 'CHARGE', 'customer', 'revenue', 3, 0.01, 'USD', $2, $3, sid, room_id, sequence, 1, 180, $3
    FROM unnest($4::uuid[], $5::text[], $6::text[], $7::int4[]) AS t(entry_id, sid, room_id, sequence)`;
const ACCOUNT =
  'UPDATE bench_charges.accounts SET balance = balance - $2, version = version + 1, cycle_credits = cycle_credits - $2, is_low = false WHERE organization_id = $1';
const OUTBOX = 'INSERT INTO bench_charges.outbox (id, subject, body, created_at) VALUES ($1, $2, $3, $4)';
const METERS = `
  UPDATE bench_charges.room_meters m SET charged_credits = m.charged_credits + 3, sequence = t.sequence, last_entry_id = t.entry_id, due_at = $4
    FROM unnest($1::text[], $2::uuid[], $3::int4[]) AS t(sid, entry_id, sequence) WHERE m.sid = t.sid`;
const BODY = JSON.stringify({ specversion: '1.0', type: 'account.changed.v1', data: 'x'.repeat(200) });

/** Creates tables like billing's, with the same rows, indexes and checks. */
export async function copyTables(bench: BenchStack) {
  await bench.sql('CREATE SCHEMA bench_charges');
  for (const table of TABLES) await bench.sql(`CREATE TABLE bench_charges.${table} (LIKE billing.${table} INCLUDING ALL)`);
  for (const table of ['accounts', 'room_meters']) await bench.sql(`INSERT INTO bench_charges.${table} SELECT * FROM billing.${table}`);
}

/** @param sequence sequence number of the charge in each meter */
export async function writeCharges(
  client: Client,
  batches: readonly { organizationId: string; meters: { sid: string; roomId: string }[] }[],
  sequence: number,
) {
  const run = (name: string, text: string, values: unknown[]) => client.query({ name, text, values });
  const dueAt = new Date(Date.now() + 3_600_000);
  for (const { organizationId, meters } of batches) {
    const now = new Date();
    const ids = meters.map(() => randomUUID());
    const sids = meters.map(({ sid }) => sid);
    const sequences = meters.map(() => sequence);
    await client.query('BEGIN');
    await run('entries', ENTRIES, [organizationId, now, now, ids, sids, meters.map(({ roomId }) => roomId), sequences]);
    await run('account', ACCOUNT, [organizationId, meters.length * 3]);
    await run('outbox', OUTBOX, [randomUUID(), 'evt.billing.account.changed.v1.p00', BODY, now]);
    await run('meters', METERS, [sids, ids, sequences, dueAt]);
    await client.query('COMMIT');
  }
}
