import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { defineEvent } from '@classroom/contracts';
import { SystemClock } from '@classroom/platform';
import { eventually, inLongForm } from '@classroom/testing';
import { applyStreams, fact, Outbox, OutboxRelay, Prune } from '../src/index.js';
import { MessagingFixture } from './support/messaging-fixture.js';

const happened = defineEvent({ service: 'room', noun: 'thing', happened: 'happened', data: z.object({ text: z.string() }) });
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const FACTS_PER_SECOND = 200;

/** A wall clock that the test sets. */
class AdjustableClock extends SystemClock {
  offsetMs = 0;
  override wall(): Date {
    return new Date(Date.now() + this.offsetMs);
  }
}

/** A fact that cannot be published does not block others, and neither table grows with the running time of a service. */
describe('outbox and inbox', () => {
  let fixture: MessagingFixture;

  beforeAll(async () => {
    fixture = await MessagingFixture.start();
  });
  afterAll(() => fixture?.stop());
  beforeEach(() => fixture.query('DELETE FROM outbox'));

  it('a fact that no message can hold is set aside, and the facts behind it are published', async () => {
    const relay = new OutboxRelay(fixture.database, fixture.publisher, new SystemClock());
    const outbox = new Outbox(new SystemClock(), relay);
    await fixture.database.transaction((tx) => outbox.add(tx, fact(happened, 'RM_1', { text: 'x'.repeat(1_100_000) })));
    for (let n = 0; n < 5; n++) await fixture.database.transaction((tx) => outbox.add(tx, fact(happened, 'RM_1', { text: 'small' })));
    relay.start();
    await eventually(async () => expect(await fixture.count('outbox WHERE published_at IS NULL')).toBe(0));
    expect(await fixture.count('outbox')).toBe(5);
    expect(await fixture.query('SELECT subject, length(body) > 1000000 AS "isWhole", reason FROM outbox_set_aside')).toEqual([
      { subject: expect.stringMatching(/^evt\.room\.thing\.happened\./), isWhole: true, reason: expect.stringContaining('max_payload') },
    ]);
    await relay.stop();
  });

  it('facts wait while their stream is full, without using the space of webhooks, and are published when it has space', async () => {
    const relay = new OutboxRelay(fixture.database, fixture.publisher, new SystemClock());
    const outbox = new Outbox(new SystemClock(), relay);
    const manager = await fixture.jetstream.jetstreamManager(false);
    const stored = async () => (await manager.streams.info('EVENTS', { subjects_filter: 'evt.room.thing.>' })).state.messages;
    const before = await stored();
    await applyStreams(fixture.connection, { storageMib: 4 });
    for (let n = 0; n < 40; n++)
      await fixture.database.transaction((tx) => outbox.add(tx, fact(happened, 'RM_1', { text: 'x'.repeat(100_000) })));
    relay.start();
    await eventually(async () => expect(await fixture.count('outbox WHERE published_at IS NOT NULL')).toBeGreaterThan(20));
    const waiting = await fixture.count('outbox WHERE published_at IS NULL');
    expect(waiting).toBeGreaterThan(5);
    expect(await stored()).toBe(before + 40 - waiting);
    await fixture.jetstream.publish('livekit.room.started', 'x'.repeat(100_000));

    await applyStreams(fixture.connection, { storageMib: 40 });
    await eventually(async () => expect(await fixture.count('outbox WHERE published_at IS NULL')).toBe(0));
    expect(await stored()).toBe(before + 40);
    expect(await fixture.count('outbox_set_aside WHERE length(body) < 1000000')).toBe(0);
    await relay.stop();
    await applyStreams(fixture.connection);
  });

  it('a relay that was woken while another works publishes without waiting for its next poll', async () => {
    const relay = new OutboxRelay(fixture.database, fixture.publisher, new SystemClock());
    const outbox = new Outbox(new SystemClock(), { wake: () => undefined } as OutboxRelay);
    const run = () => (relay as unknown as { run(): Promise<void> }).run();
    await fixture.database.transaction((tx) => outbox.add(tx, fact(happened, 'RM_1', { text: 'behind' })));
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const other = fixture.database.transaction(async (tx) => {
      await tx.manager.query('SELECT pg_advisory_xact_lock(1190101, hashtext(current_schema()))');
      await held;
    });
    const running = run();
    await eventually(async () => expect(await fixture.count("pg_locks WHERE locktype = 'advisory' AND granted")).toBe(1));
    release();
    await other;
    await running;
    expect(await fixture.count('outbox WHERE published_at IS NULL')).toBe(0);
  });

  inLongForm(it)('shrink as fast as they grow, at 200 facts a second', async () => {
    const clock = new AdjustableClock();
    const prune = new Prune(fixture.database, clock);
    const sizes: number[][] = [];
    for (let minute = 0; minute < 6; minute++) {
      const now = clock.wall().getTime();
      const rows = FACTS_PER_SECOND * 60;
      // Rows that expire in half a minute, so that each round has the rows of one minute to delete.
      await fixture.query(
        `INSERT INTO outbox (id, subject, body, created_at, published_at) SELECT gen_random_uuid(), 's', '{}', $1, $1 FROM generate_series(1, ${rows})`,
        [new Date(now - 60 * MINUTE_MS + MINUTE_MS / 2)],
      );
      await fixture.query(
        `INSERT INTO inbox (consumer, message_id, received_at) SELECT 'room-presence', gen_random_uuid()::text, $1 FROM generate_series(1, ${rows})`,
        [new Date(now - 4 * DAY_MS + MINUTE_MS / 2)],
      );
      await Promise.all([prune.run(), new Prune(fixture.database, clock).run()]);
      sizes.push([await fixture.count('outbox'), await fixture.count('inbox')]);
      clock.offsetMs += MINUTE_MS;
    }
    expect(sizes).toEqual(Array.from({ length: 6 }, () => [FACTS_PER_SECOND * 60, FACTS_PER_SECOND * 60]));
  });

  it('keep messages that may be delivered again: facts for the age of the dead letters, webhooks for that of their stream', async () => {
    await fixture.query('DELETE FROM inbox');
    const now = Date.now();
    const received = (consumer: string, days: number) =>
      fixture.query('INSERT INTO inbox (consumer, message_id, received_at) VALUES ($1, $2, $3)', [
        consumer,
        randomUUID(),
        new Date(now - days * DAY_MS),
      ]);
    await received('room-presence', 3.9);
    await received('room-presence', 4.1);
    await received('billing-fold', 34);
    await received('billing-fold', 36);
    await new Prune(fixture.database, new SystemClock()).run();
    expect(
      await fixture.query(`SELECT consumer, round(extract(epoch FROM now() - received_at) / 86400)::int AS days FROM inbox ORDER BY days`),
    ).toEqual([
      { consumer: 'room-presence', days: 4 },
      { consumer: 'billing-fold', days: 34 },
    ]);
  });
});
