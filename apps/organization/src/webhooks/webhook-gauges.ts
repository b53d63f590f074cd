import { Injectable } from '@nestjs/common';
import { Clock, observedGauges } from '@classroom/platform';
import { DeliveryListRepository } from '../outgoing/delivery-list.repository.js';
import { WEBHOOK_DELIVERY_QUEUE } from './delivery.processor.js';

const GAUGES = {
  classroom_webhook_pending_deliveries: 'Webhooks that wait for their first or another attempt',
  classroom_job_overdue_seconds: 'How late the job is that has waited longest, by queue',
};

@Injectable()
export class WebhookGauges {
  constructor(deliveries: DeliveryListRepository, clock: Clock) {
    observedGauges(GAUGES, async () => {
      const { count, oldestDue } = await deliveries.summarizePending();
      const late = oldestDue === null ? 0 : (clock.now().getTime() - oldestDue.getTime()) / 1000;
      return [
        { name: 'classroom_webhook_pending_deliveries', value: count },
        { name: 'classroom_job_overdue_seconds', value: Math.max(late, 0), attributes: { queue: WEBHOOK_DELIVERY_QUEUE } },
      ];
    });
  }
}
