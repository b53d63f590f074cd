import { Inject, Injectable } from '@nestjs/common';
import type { JetStreamClient } from '@nats-io/jetstream';
import { CONSUMERS, type accountChanged, type EventData, type EventEnvelope } from '@classroom/contracts';
import { DurableConsumer, JETSTREAM } from '@classroom/messaging';
import { Database } from '@classroom/persistence';
import { Background } from '@classroom/platform';
import { Standings } from './standings.js';

type AccountChanged = EventEnvelope<EventData<typeof accountChanged>>;

/** The account's version makes order and doubles harmless, so no inbox row is needed. */
@Injectable()
export class StandingEvents {
  constructor(
    background: Background,
    @Inject(JETSTREAM) jetstream: JetStreamClient,
    database: Database,
    standings: Standings,
  ) {
    background.add(
      new DurableConsumer<AccountChanged>(jetstream, {
        declaration: CONSUMERS.roomStanding,
        concurrency: 4,
        keyOf: ({ subject }) => subject,
        handle: ({ data }) => database.transaction((tx) => standings.apply(tx, data)),
      }),
    );
  }
}
