import { Injectable } from '@nestjs/common';
import { observedGauge } from '@classroom/platform';
import { DeliveryListRepository } from '../outgoing/delivery-list.repository.js';

@Injectable()
export class WebhookGauges {
  constructor(deliveries: DeliveryListRepository) {
    observedGauge('classroom_webhook_pending_deliveries', 'Webhooks that wait for their first or another attempt', async () => [
      { value: (await deliveries.summarizePending()).count },
    ]);
  }
}
