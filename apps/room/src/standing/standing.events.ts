import { Inject, Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import type { JetStreamClient } from '@nats-io/jetstream';
import { CONSUMERS, type accountChanged, type EventData, type EventEnvelope } from '@classroom/contracts';
import { DurableConsumer, JETSTREAM } from '@classroom/messaging';
import { Database } from '@classroom/persistence';
import { CONFIG } from '@classroom/platform';
import type { RoomConfig } from '../config.js';
import { Standings } from './standings.js';

/** The account's version makes order and doubles harmless, so no inbox row is needed. */
@Injectable()
export class StandingEvents implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly consumer: DurableConsumer;

  constructor(
    @Inject(JETSTREAM) jetstream: JetStreamClient,
    @Inject(CONFIG) private readonly config: RoomConfig,
    database: Database,
    standings: Standings,
  ) {
    this.consumer = new DurableConsumer(jetstream, {
      declaration: CONSUMERS.roomStanding,
      concurrency: 4,
      keyOf: (_, body) => (body as EventEnvelope | undefined)?.subject ?? '',
      handle: async ({ body }) => {
        const { data } = body as EventEnvelope<EventData<typeof accountChanged>>;
        await database.transaction((tx) => standings.apply(tx, data));
      },
    });
  }

  onApplicationBootstrap(): void {
    if (this.config.ROLES.includes('worker')) this.consumer.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.consumer.stop();
  }
}
