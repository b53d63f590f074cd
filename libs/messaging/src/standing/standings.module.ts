import { Inject, Injectable, Module, type DynamicModule } from '@nestjs/common';
import type { JetStreamClient } from '@nats-io/jetstream';
import type { accountChanged, EventData, EventEnvelope } from '@classroom/contracts';
import { InBackground } from '@classroom/platform';
import { DurableConsumer } from '../jetstream/consumer.js';
import { JETSTREAM } from '../tokens.js';
import { STANDING_RULE, Standings, type StandingRule } from './standings.js';

type AccountChanged = EventEnvelope<EventData<typeof accountChanged>>;

/** Needs no inbox row: `apply` tolerates repeated messages. */
@Injectable()
class StandingsConsumer {
  @InBackground() readonly consumer: DurableConsumer<AccountChanged>;

  constructor(
    @Inject(JETSTREAM) jetstream: JetStreamClient,
    @Inject(STANDING_RULE) { consumer: declaration }: StandingRule,
    standings: Standings,
  ) {
    this.consumer = new DurableConsumer<AccountChanged>(jetstream, {
      declaration,
      concurrency: 4,
      keyOf: ({ subject }) => subject,
      handle: ({ data }) => standings.apply(data),
    });
  }
}

@Module({})
export class StandingsModule {
  static forRoot(rule: StandingRule): DynamicModule {
    return {
      module: StandingsModule,
      providers: [{ provide: STANDING_RULE, useValue: rule }, Standings, StandingsConsumer],
      exports: [Standings],
    };
  }
}
