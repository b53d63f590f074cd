import { Processor, WorkerHost } from '@nestjs/bullmq';
import { Inject, type OnApplicationBootstrap } from '@nestjs/common';
import { webhookDelivery, type JobData } from '@classroom/contracts';
import { processJob } from '@classroom/messaging';
import { Background, CONFIG } from '@classroom/platform';
import type { Job } from 'bullmq';
import type { OrganizationConfig } from '../config.js';
import { DeliverDue } from './deliver-due.js';

export const WEBHOOK_DELIVERY_QUEUE = webhookDelivery.queue;
export type DeliveryJob = JobData<typeof webhookDelivery>;

/** Endpoints side by side: a slow one holds one place, not the queue. A killed worker's job is another's soon after. */
@Processor(WEBHOOK_DELIVERY_QUEUE, { lockDuration: 10_000, stalledInterval: 5_000, maxStalledCount: 100 })
export class DeliveryJobs extends WorkerHost implements OnApplicationBootstrap {
  constructor(
    @Inject(CONFIG) private readonly config: OrganizationConfig,
    background: Background,
    private readonly deliverDue: DeliverDue,
  ) {
    super();
    // A free place of a process that ends would go on taking jobs.
    background.add({ start: () => undefined, stop: () => this.worker.pause(true) });
  }

  onApplicationBootstrap(): void {
    // A decorator knows no configuration.
    this.worker.concurrency = this.config.WEBHOOK_SLOTS;
  }

  async process({ data }: Job<DeliveryJob>): Promise<void> {
    await processJob(WEBHOOK_DELIVERY_QUEUE, () => this.deliverDue.execute(data.endpointId));
  }
}
