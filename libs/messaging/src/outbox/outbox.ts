import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { eventSubject, STREAMS, ttlOf, type EventContract, type EventData, type EventEnvelope } from '@classroom/contracts';
import { errors } from '@nats-io/transport-node';
import { Clock, currentTraceparent, failpoint, InBackground, logger, Loop, observedGauges, type Task } from '@classroom/platform';
import { Database, type Transaction } from '@classroom/persistence/sql';
import { StreamPublisher, StreamRefusalError } from '../jetstream/stream-publisher.js';
import {
  addFacts,
  lockForRelay,
  markFactsPublished,
  readBacklog,
  RELAY_BATCH,
  setFactsAside,
  unpublishedFacts,
  type OutboxRow,
  type WaitingFact,
} from './outbox.repository.js';

const POLL_MS = 1_000;
/** Milliseconds between the starts of two runs: facts that commit in the meantime share one batch. The first after a quiet period does not wait. */
const MIN_INTERVAL_MS = 60;
/**
 * Pause while the relay of another process holds the lock. The facts for which this process was woken may be newer than the rows
 * that the other relay reads.
 */
const BUSY_PAUSE_MS = 25;
const MAX_BUSY = 20;
/** JetStream's error "message size exceeds maximum allowed". */
const MESSAGE_TOO_LARGE = 10_054;

interface Refused {
  id: string;
  reason: string;
}

/**
 * Publishes the outbox to JetStream: when woken after a commit, and every second for facts that another process left. After a
 * crash between publishing and marking, a fact is sent twice with the same id. A fact that can never be published is set aside,
 * so that it does not block the facts behind it.
 */
@Injectable()
@InBackground('any')
export class OutboxRelay implements Task {
  private readonly loop = new Loop('outbox-relay', POLL_MS, () => this.run(), MIN_INTERVAL_MS);

  constructor(
    @Inject(Database) private readonly database: Database,
    @Inject(StreamPublisher) private readonly publisher: StreamPublisher,
    @Inject(Clock) private readonly clock: Clock,
  ) {
    const descriptions = {
      classroom_outbox_waiting: 'Facts that JetStream has not got yet',
      classroom_outbox_lag_seconds: 'Age of the oldest of them',
      classroom_outbox_set_aside: 'Facts that can never be published and wait for an operator',
    };
    observedGauges(descriptions, async () => {
      const { waiting, seconds, setAside } = await this.readGauges();
      return [
        { name: 'classroom_outbox_waiting', value: waiting },
        { name: 'classroom_outbox_lag_seconds', value: seconds },
        { name: 'classroom_outbox_set_aside', value: setAside },
      ];
    });
  }

  start(): void {
    this.loop.start();
  }

  async stop(): Promise<void> {
    await this.loop.stop();
    // Publishes what the last requests wrote. If NATS is unreachable, the next process does it.
    await this.run().catch(() => undefined);
  }

  wake(): void {
    this.loop.wake();
  }

  private async readGauges(): Promise<{ waiting: number; seconds: number; setAside: number }> {
    const { waiting, oldest, setAside } = await readBacklog(this.database);
    return { waiting, setAside, seconds: oldest === null ? 0 : (this.clock.wall().getTime() - oldest.getTime()) / 1000 };
  }

  private async run(): Promise<void> {
    for (let busy = 0; busy < MAX_BUSY;) {
      const taken = await this.relayBatch();
      if (taken === 'busy') {
        busy += 1;
        await new Promise((resolve) => setTimeout(resolve, BUSY_PAUSE_MS));
      } else if (taken < RELAY_BATCH) return;
    }
  }

  private async relayBatch(): Promise<number | 'busy'> {
    const batch = await this.database.transaction(async (tx) => {
      if (!(await lockForRelay(tx))) return undefined;
      const rows = await unpublishedFacts(tx);
      if (rows.length === 0) return { rows, failure: undefined };
      const results = await this.publisher.publishAll(rows.map(toMessage));
      await failpoint('outbox.after-send');
      const sent: string[] = [];
      const refused: Refused[] = [];
      let failure: unknown;
      results.forEach((result, index) => {
        const { id, subject } = rows[index] as WaitingFact;
        if (result.status === 'fulfilled') sent.push(id);
        else if (isRefusedForGood(result.reason)) {
          logger.error({ err: result.reason, id, subject }, 'event cannot be published; set aside');
          refused.push({ id, reason: result.reason.message });
        } else failure = result.reason;
      });
      await markFactsPublished(tx, sent, this.clock.wall());
      if (refused.length > 0) await setFactsAside(tx, refused, this.clock.wall());
      return { rows, failure };
    });
    if (!batch) return 'busy';
    // Thrown after the commit: what was sent stays marked, and the loop retries the rest at its next run.
    if (batch.failure !== undefined) throw batch.failure;
    return batch.rows.length;
  }
}

const toMessage = ({ id, subject, body, trace: traceparent }: WaitingFact) => ({
  stream: STREAMS.EVENTS.name,
  subject,
  body,
  id,
  traceparent,
  ttlSeconds: ttlOf(subject),
});

/** Whether this message can never be stored, because NATS or its stream does not accept the size. Any other failure may be temporary. */
const isRefusedForGood = (error: unknown): error is Error =>
  error instanceof errors.InvalidArgumentError || (error instanceof StreamRefusalError && error.code === MESSAGE_TOO_LARGE);

export interface Fact<C extends EventContract = EventContract> {
  contract: C;
  /** Id of the entity that the fact is about (such as a room's sid): the CloudEvents subject and the partition key. */
  subject: string;
  data: EventData<C>;
  /** Of the work that caused it; default: the active span. */
  traceparent?: string | null;
}

export const fact = <C extends EventContract>(contract: C, subject: string, data: EventData<C>, traceparent?: string | null): Fact<C> => ({
  contract,
  subject,
  data,
  ...(traceparent === undefined ? {} : { traceparent }),
});

/** Writes facts to the outbox, in the transaction that made them true. */
@Injectable()
export class Outbox {
  constructor(
    @Inject(Clock) private readonly clock: Clock,
    @Inject(OutboxRelay) private readonly relay: OutboxRelay,
  ) {}

  add(tx: Transaction, ...facts: Fact[]): Promise<void> {
    return this.addAll(tx, facts);
  }

  async addAll(tx: Transaction, facts: readonly Fact[]): Promise<void> {
    if (facts.length === 0) return;
    const now = this.clock.wall();
    const active = currentTraceparent();
    await addFacts(
      tx,
      facts.map((one) => toRow(active, this.clock.classTime(), one)),
      now,
    );
    tx.afterCommit('outbox', () => this.relay.wake());
  }

  /** For a statement that changes the state and inserts the fact by itself. */
  async addBy(one: Fact, insert: (row: OutboxRow, createdAt: Date) => Promise<boolean>): Promise<boolean> {
    const now = this.clock.wall();
    const isAdded = await insert(toRow(currentTraceparent(), this.clock.classTime(), one), now);
    if (isAdded) this.relay.wake();
    return isAdded;
  }
}

function toRow(active: string | null, now: Date, { contract, subject, data, traceparent = active }: Fact): OutboxRow {
  const id = randomUUID();
  const envelope: EventEnvelope = {
    specversion: '1.0',
    id,
    source: `/services/${contract.service}`,
    type: contract.type,
    subject,
    time: now.toISOString(),
    data,
  };
  return { id, subject: eventSubject(contract, subject), body: JSON.stringify(envelope), trace: traceparent };
}
