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

/**
 * Serves endpoints in parallel: a slow one occupies one slot, not the queue. The lock of a killed worker's job expires after
 * 10 s; then another worker takes the job.
 */
@Processor(WEBHOOK_DELIVERY_QUEUE, { lockDuration: 10_000, stalledInterval: 5_000, maxStalledCount: 100 })
@InBackground()
export class DeliveryProcessor extends WorkerHost implements Task {
  constructor(
    @Inject(CONFIG) private readonly config: OrganizationConfig,
    private readonly deliverDue: DeliverDue,
  ) {
    super();
  }

  start(): void {
    // The decorator cannot read the configuration.
    this.worker.concurrency = this.config.WEBHOOK_SLOTS;
  }

  /** Without this, the free slots of a process that shuts down would continue to take jobs. */
  stop(): Promise<void> {
    return this.worker.pause(true);
  }

  async process({ data }: Job<DeliveryJob>): Promise<void> {
    await processJob(WEBHOOK_DELIVERY_QUEUE, () => this.deliverDue.execute(data.endpointId));
  }
}
