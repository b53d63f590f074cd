import { Module } from '@nestjs/common';
import { EndpointsModule } from '../endpoints/endpoints.module.js';
import { EventsModule } from '../events/events.module.js';
import { HistoryModule } from '../history/history.module.js';
import { OutgoingModule } from '../outgoing/outgoing.module.js';
import { DeliverDue } from './deliver-due.js';
import { DeliveryLog } from './delivery-log.js';
import { DueDeliveries } from './due-deliveries.js';
import { MissedEventsRepository } from './missed-events.repository.js';
import { ReplayWebhooks } from './replay-webhooks.js';
import { SandboxEvents } from './sandbox-events.js';
import { SettleAttempt } from './settle-attempt.js';
import { WebhookGauges } from './webhook-gauges.js';
import { WebhookSweep } from './webhook-sweep.js';

@Module({
  imports: [EndpointsModule, EventsModule, HistoryModule, OutgoingModule],
  providers: [
    DeliverDue,
    DeliveryLog,
    DueDeliveries,
    MissedEventsRepository,
    ReplayWebhooks,
    SandboxEvents,
    SettleAttempt,
    WebhookGauges,
    WebhookSweep,
  ],
  exports: [DeliverDue],
})
export class WebhooksModule {}
