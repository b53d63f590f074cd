import { BullModule } from '@nestjs/bullmq';
import { Module, type DynamicModule, type Provider } from '@nestjs/common';
import { Outbound } from '@classroom/platform';
import type { OrganizationConfig } from '../config.js';
import { Announcer } from '../events/announcer.js';
import { EventsRpc } from '../events/events.rpc.js';
import { FactsEvents } from '../events/facts.events.js';
import { HistoryRepository } from '../events/history.repository.js';
import { RecordFact } from '../events/record-fact.js';
import { ChangeEndpoint } from './change-endpoint.js';
import { CreateEndpoint } from './create-endpoint.js';
import { DeliverDue } from './deliver-due.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import { DeliveryLog } from './delivery-log.js';
import { DeliveryJobs, WEBHOOK_DELIVERY_QUEUE } from './delivery.jobs.js';
import { DueDeliveries } from './due-deliveries.js';
import { DueSignal } from './due-signal.js';
import { EndpointAddress } from './endpoint-address.js';
import { EndpointsRepository } from './endpoints.repository.js';
import { FanOut } from './fan-out.js';
import { ReplayRepository } from './replay.repository.js';
import { Replay } from './replay.js';
import { ResealSecrets } from './reseal-secrets.js';
import { SettleAttempt } from './settle-attempt.js';
import { SigningSecrets } from './signing-secrets.js';
import { WebhookGauges } from './webhook-gauges.js';
import { WebhookSweep } from './webhook-sweep.js';
import { WebhooksRpc } from './webhooks.rpc.js';

const history: Provider[] = [HistoryRepository, Announcer, RecordFact, FactsEvents];
const endpoints: Provider[] = [EndpointsRepository, EndpointAddress, SigningSecrets, ResealSecrets, CreateEndpoint, ChangeEndpoint];
const deliveries: Provider[] = [
  DeliveriesRepository,
  ReplayRepository,
  FanOut,
  DueSignal,
  DueDeliveries,
  DeliverDue,
  SettleAttempt,
  DeliveryLog,
  Replay,
  WebhookSweep,
  WebhookGauges,
];

/** Webhooks and the history of events: two ways to be told the same. */
@Module({})
export class WebhooksModule {
  static forRoot(config: OrganizationConfig): DynamicModule {
    return {
      module: WebhooksModule,
      imports: [BullModule.registerQueue({ name: WEBHOOK_DELIVERY_QUEUE })],
      controllers: [WebhooksRpc, EventsRpc],
      providers: [
        { provide: Outbound, useFactory: () => new Outbound(config) },
        ...history,
        ...endpoints,
        ...deliveries,
        ...(config.ROLES.includes('worker') ? [DeliveryJobs] : []),
      ],
    };
  }
}
