import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { eventSubject, type EventContract, type EventData, type EventEnvelope } from '@classroom/contracts';
import { Clock, currentTraceparent } from '@classroom/platform';
import type { Transaction } from '@classroom/persistence/sql';
import { addFacts, type OutboxRow } from './outbox.repository.js';
import { OutboxRelay } from './relay.js';

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
