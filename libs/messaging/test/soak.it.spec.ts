import { jetstreamManager } from '@nats-io/jetstream';
import { z } from 'zod';
import { CONSUMERS, defineEvent, STREAMS, type ConsumerDeclaration, type EventEnvelope } from '@classroom/contracts';
import { SystemClock } from '@classroom/platform';
import { byForm, eventually, isLongForm } from '@classroom/testing';
import { acceptNew, DurableConsumer, fact, Outbox, OutboxRelay, Prune } from '../src/index.js';
import { MessagingFixture } from './support/messaging-fixture.js';

/** Of one minute in a large installation. A round's clock moves five minutes, so that the long form takes four minutes. */
const FACTS_PER_ROUND = byForm({ short: 60, long: 12_000 });
const FACTS_PER_TRANSACTION = 20;
const WRITERS = 4;
const MINUTE_MS = 60_000;
const ROUND_MS = 5 * MINUTE_MS;
const ROUNDS = 15;
/** Published facts are kept for an hour. */
const OUTBOX_ROUNDS = 12;
/** The consumer marks its messages as received this long before they expire. */
const INBOX_ROUNDS = 6;
const INBOX = CONSUMERS.roomPresence.durable;
const INBOX_AGE_MS = (STREAMS.LIVEKIT.maxAgeDays + 1) * 86_400_000 - INBOX_ROUNDS * ROUND_MS;

const happened = defineEvent({ service: 'room', noun: 'thing', happened: 'happened', data: z.object({ n: z.number() }) });

/** A clock that moves only in `nextRound`, however long the machine takes for one round's work. */
class AdjustableClock extends SystemClock {
  private at = Date.now();

  override wall(): Date {
    return new Date(this.at);
  }

  nextRound(): void {
    this.at += ROUND_MS;
  }
}

describe(`an hour and a quarter with ${FACTS_PER_ROUND} facts every five minutes`, () => {
  let fixture: MessagingFixture;
  beforeAll(async () => {
    fixture = await MessagingFixture.start();
  });
  afterAll(() => fixture?.stop());

  it(
    'leaves outbox and inbox as large as they were before',
    async () => {
      const clock = new AdjustableClock();
      const relay = new OutboxRelay(fixture.database, fixture.publisher, clock);
      const outbox = new Outbox(clock, relay);
      const prune = new Prune(fixture.database, clock);
      const declaration: ConsumerDeclaration = {
        service: 'billing',
        stream: STREAMS.EVENTS.name,
        durable: 'soak',
        filterSubjects: ['evt.room.thing.>'],
      };
      const manager = await jetstreamManager(fixture.connection);
      await manager.consumers.add(declaration.stream, {
        durable_name: declaration.durable,
        ack_policy: 'explicit',
        filter_subjects: declaration.filterSubjects,
      });
      let handled = 0;
      const consumer = new DurableConsumer<EventEnvelope>(fixture.jetstream, {
        declaration,
        keyOf: ({ subject }) => subject,
        concurrency: 8,
        batchSize: 64,
        handle: async (deliveries) => {
          const at = new Date(clock.wall().getTime() - INBOX_AGE_MS);
          await fixture.database.transaction((tx) => acceptNew(tx, INBOX, deliveries, ({ body }) => body.id, at));
          handled += deliveries.length;
        },
      });
      relay.start();
      consumer.start();

      const write = (from: number) =>
        fixture.database.transaction((tx) =>
          outbox.add(
            tx,
            ...Array.from({ length: FACTS_PER_TRANSACTION }, (_, n) => fact(happened, `RM_${(from + n) % 500}`, { n: from + n })),
          ),
        );
      const sizes: { outbox: number; inbox: number; bytes: number }[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        const first = round * FACTS_PER_ROUND;
        const writers = Array.from({ length: WRITERS }, async (_, writer) => {
          for (let n = writer * FACTS_PER_TRANSACTION; n < FACTS_PER_ROUND; n += WRITERS * FACTS_PER_TRANSACTION) await write(first + n);
        });
        await Promise.all(writers);
        await eventually(() => expect(handled).toBe(first + FACTS_PER_ROUND), MINUTE_MS);
        await prune.run();
        const [{ bytes } = { bytes: 0 }] = await fixture.query<{ bytes: number }>(
          `SELECT (pg_total_relation_size('outbox') + pg_total_relation_size('inbox'))::float8 AS bytes`,
        );
        sizes.push({ outbox: await fixture.count('outbox'), inbox: await fixture.count('inbox'), bytes });
        clock.nextRound();
      }
      await consumer.stop();
      await relay.stop();

      // Rows that are exactly as old as the limit are still kept.
      for (const { outbox, inbox } of sizes.slice(OUTBOX_ROUNDS)) {
        expect({ outbox, inbox }).toEqual({
          outbox: (OUTBOX_ROUNDS + 1) * FACTS_PER_ROUND,
          inbox: (INBOX_ROUNDS + 1) * FACTS_PER_ROUND,
        });
      }
      if (isLongForm)
        process.stdout.write(
          `round, outbox, inbox, MB\n${sizes.map(({ outbox, inbox, bytes }, round) => `${round}, ${outbox}, ${inbox}, ${(bytes / 1e6).toFixed(0)}`).join('\n')}\n`,
        );
    },
    isLongForm ? 60 * MINUTE_MS : 120_000,
  );
});
