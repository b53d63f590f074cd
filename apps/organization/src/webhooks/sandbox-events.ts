import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { NatsConnection } from '@nats-io/transport-node';
import { exampleData, SANDBOX_EVENT_SUBJECT, type ExampleEvent, type SandboxEvent } from '@classroom/contracts';
import { NATS } from '@classroom/messaging';
import { Database } from '@classroom/persistence';
import { Clock, logger, SandboxClock } from '@classroom/platform';
import { randomId } from '../schema/random-id.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import { DueSignal } from './publish-events.js';

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
