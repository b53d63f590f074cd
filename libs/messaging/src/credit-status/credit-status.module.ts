import { Inject, Injectable, Module, type DynamicModule } from '@nestjs/common';
import type { JetStreamClient } from '@nats-io/jetstream';
import type { accountChanged, EventData, EventEnvelope } from '@classroom/contracts';
import { InBackground } from '@classroom/platform';
import { DurableConsumer, oneByOne } from '../jetstream/consumer.js';
import { JETSTREAM } from '../tokens.js';
import { CREDIT_STATUS_RULE, CreditStatusProjection, type CreditStatusRule } from './credit-status.projection.js';

type AccountChanged = EventEnvelope<EventData<typeof accountChanged>>;

/** Needs no inbox row: `apply` tolerates repeated messages. */
@Injectable()
class CreditStatusConsumer {
  @InBackground() readonly consumer: DurableConsumer<AccountChanged>;

  constructor(
    @Inject(JETSTREAM) jetstream: JetStreamClient,
    @Inject(CREDIT_STATUS_RULE) { consumer: declaration }: CreditStatusRule,
    projection: CreditStatusProjection,
  ) {
    this.consumer = new DurableConsumer<AccountChanged>(jetstream, {
      declaration,
      concurrency: 4,
      keyOf: ({ subject }) => subject,
      ...oneByOne(({ data }) => projection.apply(data)),
    });
  }
}

@Module({})
export class CreditStatusModule {
  static forRoot(rule: CreditStatusRule): DynamicModule {
    return {
      module: CreditStatusModule,
      providers: [{ provide: CREDIT_STATUS_RULE, useValue: rule }, CreditStatusProjection, CreditStatusConsumer],
      exports: [CreditStatusProjection],
    };
  }
}
