import { Inject, Injectable } from '@nestjs/common';
import { webhookDelivery, type JobData } from '@classroom/contracts';
import { DueWorks, type DueWork } from '@classroom/messaging';
import { Clock, CONFIG, InBackground } from '@classroom/platform';
import type { OrganizationConfig } from '../config.js';
import { DueSignal } from '../outgoing/due-signal.js';
import { EndpointsRepository } from '../endpoints/endpoints.repository.js';
import { DeliveryListRepository } from '../outgoing/delivery-list.repository.js';
import { DeliverDue } from './deliver-due.js';

const BATCH = 10_000;

/** Finds the endpoints that have due deliveries. They are served in parallel: a slow one occupies one slot, not the queue. */
@Injectable()
export class DueDeliveries {
  @InBackground() private readonly work: DueWork<JobData<typeof webhookDelivery>>;

  constructor(
    @Inject(CONFIG) config: OrganizationConfig,
    dueWorks: DueWorks,
    dueSignal: DueSignal,
    endpoints: EndpointsRepository,
    deliveries: DeliveryListRepository,
    deliverDue: DeliverDue,
    clock: Clock,
  ) {
    this.work = dueWorks.declareQueued(webhookDelivery, {
      find: async (now, limit) => {
        const due = await endpoints.findWithDue(now, clock.wall());
        return due.slice(0, limit).map((endpointId) => ({ endpointId }));
      },
      run: ({ endpointId }) => deliverDue.execute(endpointId),
      parallel: config.WEBHOOK_SLOTS,
      batch: BATCH,
      dueSince: async () => (await deliveries.summarizePending()).oldestDue,
    });
    dueSignal.onWake(() => this.work.wake());
  }
}
