import { Processor, WorkerHost } from '@nestjs/bullmq';
import { Inject } from '@nestjs/common';
import { webhookDelivery, type JobData } from '@classroom/contracts';
import { processJob } from '@classroom/messaging';
import { CONFIG, InBackground, type Task } from '@classroom/platform';
import type { Job } from 'bullmq';
import type { OrganizationConfig } from '../config.js';
import { DeliverDue } from './deliver-due.js';

export const WEBHOOK_DELIVERY_QUEUE = webhookDelivery.queue;
export type DeliveryJob = JobData<typeof webhookDelivery>;

/** Endpoints side by side: a slow one holds one place, not the queue. A killed worker's job is another's soon after. */
@Processor(WEBHOOK_DELIVERY_QUEUE, { lockDuration: 10_000, stalledInterval: 5_000, maxStalledCount: 100 })
@InBackground()
export class DeliveryJobs extends WorkerHost implements Task {
  constructor(
    @Inject(CONFIG) private readonly config: OrganizationConfig,
    private readonly deliverDue: DeliverDue,
  ) {
    super();
  }

  start(): void {
    // A decorator knows no configuration.
    this.worker.concurrency = this.config.WEBHOOK_SLOTS;
  }

  /** A free place of a process that ends would go on taking jobs. */
  stop(): Promise<void> {
    return this.worker.pause(true);
  }

  async process({ data }: Job<DeliveryJob>): Promise<void> {
    await processJob(WEBHOOK_DELIVERY_QUEUE, () => this.deliverDue.execute(data.endpointId));
  }
}
