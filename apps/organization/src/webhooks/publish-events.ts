import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { NatsConnection } from '@nats-io/transport-node';
import {
  CONSUMERS,
  eventsAppendedSubject,
  exampleData,
  SANDBOX_EVENT_SUBJECT,
  type EventEnvelope,
  type ExampleEvent,
  type SandboxEvent,
} from '@classroom/contracts';
import { ConsumesBatch, NATS, type AcceptNew, type Delivery } from '@classroom/messaging';
import { Database, type Transaction } from '@classroom/persistence';
import { Clock, failpoint, logger, SandboxClock } from '@classroom/platform';
import { HistoryRepository, type NewEvent, type PublishedEvent } from '../events/history.repository.js';
import { toPublicEvents } from '../events/to-public-events.js';
import { randomId } from '../schema/random-id.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import { EndpointsRepository } from './endpoints.repository.js';

/**
 * Signals within this process that a delivery is due. This is only a hint: the loop that receives it looks every second without
 * it, too.
 */
@Injectable()
export class DueSignal {
  private listener: () => void = () => undefined;

  onWake(listener: () => void): void {
    this.listener = listener;
  }

  wake(): void {
    this.listener();
  }
}

/** Milliseconds. An event up to this much older than an endpoint is still sent to it, because the clocks of machines differ. */
const CLOCK_SKEW_MS = 5_000;

/** Adds a delivery of each event to each enabled endpoint of its organization that wants the event's type. */
@Injectable()
export class FanOut {
  constructor(
    private readonly deliveries: DeliveriesRepository,
    private readonly endpoints: EndpointsRepository,
    private readonly dueSignal: DueSignal,
    private readonly clock: Clock,
  ) {}

  async toEndpoints(tx: Transaction, published: readonly PublishedEvent[]): Promise<void> {
    const endpoints = await this.endpoints.lockEnabled(tx, [...new Set(published.map(({ organizationId }) => organizationId))]);
    const ofOrganization = Map.groupBy(endpoints, ({ organizationId }) => organizationId);
    const wanted = published.flatMap(({ organizationId, traceparent, event }) =>
      (ofOrganization.get(organizationId) ?? [])
        .filter(({ eventTypes }) => eventTypes.length === 0 || eventTypes.includes(event.type))
        .filter(({ createdAt }) => Date.parse(event.timestamp) >= createdAt.getTime() - CLOCK_SKEW_MS)
        .map(({ endpointId }) => ({ endpointId, event, traceparent })),
    );
    if (wanted.length === 0) return;
    await this.deliveries.add(tx, wanted, this.clock.now());
    tx.afterCommit('webhooks', () => this.dueSignal.wake());
  }
}

/**
 * Appends events to the histories of their organizations and adds their deliveries to the endpoints, in the transaction that makes the
 * events true. After the commit, the gateways that stream these histories get a hint.
 */
@Injectable()
export class PublicEventPublisher {
  constructor(
    private readonly history: HistoryRepository,
    private readonly fanOut: FanOut,
    private readonly clock: Clock,
    @Inject(NATS) private readonly connection: NatsConnection,
  ) {}

  async publish(tx: Transaction, events: readonly NewEvent[]): Promise<void> {
    if (events.length === 0) return;
    await this.fanOut.toEndpoints(tx, await this.history.append(tx, events, this.clock.now()));
    for (const { organizationId } of events) tx.afterCommit(`appended ${organizationId}`, () => this.hint(organizationId));
  }

  private hint(organizationId: string): void {
    // A stream that gets no hint looks again by itself.
    if (!this.connection.isClosed()) this.connection.publish(eventsAppendedSubject(organizationId));
  }
}

type Fact = EventEnvelope<{ organizationId?: string }>;

/** Batches processed in parallel; their organizations differ. */
const CONCURRENCY = 2;
const BATCH_SIZE = 256;

/** Turns facts into events and deliveries, in one transaction with their inbox rows. */
@Injectable()
export class RecordFacts {
  constructor(
    private readonly database: Database,
    private readonly publisher: PublicEventPublisher,
  ) {}

  @ConsumesBatch<Fact>(CONSUMERS.organizationFacts, {
    concurrency: CONCURRENCY,
    batchSize: BATCH_SIZE,
    keyOf: ({ data, subject }) => data.organizationId ?? subject,
  })
  async execute(facts: readonly Delivery<EventEnvelope>[], acceptNew: AcceptNew): Promise<void> {
    const events = facts.flatMap(({ body, traceparent }) => {
      const { organizationId = '' } = body.data as { organizationId?: string };
      return toPublicEvents(body).map((event) => ({ ...event, organizationId, occurred: new Date(body.time), traceparent }));
    });
    if (events.length === 0) return;
    await failpoint('organization.facts.before-transaction');
    await this.database.transaction(async (tx) => {
      await this.publisher.publish(tx, await acceptNew(tx, events, ({ once }) => once));
      await failpoint('organization.facts.before-commit');
    });
    await failpoint('organization.facts.after-commit');
  }
}

/** In a sandbox, and nowhere else, sends example events to endpoints. Their signature is real, and `livemode` is false. */
@Injectable()
export class SandboxEvents implements OnModuleInit {
  constructor(
    @Inject(NATS) private readonly connection: NatsConnection,
    private readonly database: Database,
    private readonly deliveries: DeliveriesRepository,
    private readonly dueSignal: DueSignal,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    if (!(this.clock instanceof SandboxClock)) return;
    this.connection.subscribe(SANDBOX_EVENT_SUBJECT, {
      callback: (error, message) => {
        if (error) return;
        this.send(message.json<SandboxEvent>()).then(
          () => message.respond(),
          (cause: unknown) => logger.error({ err: cause }, 'example event not sent'),
        );
      },
    });
  }

  private async send({ type, endpointIds }: SandboxEvent): Promise<void> {
    const now = this.clock.now();
    const event: ExampleEvent = {
      id: randomId('evt'),
      type,
      timestamp: now.toISOString(),
      sequence: null,
      livemode: false,
      data: exampleData(type, now),
    };
    await this.database.transaction(async (tx) => {
      await this.deliveries.add(
        tx,
        endpointIds.map((endpointId) => ({ endpointId, event })),
        now,
      );
      tx.afterCommit('webhooks', () => this.dueSignal.wake());
    });
  }
}
