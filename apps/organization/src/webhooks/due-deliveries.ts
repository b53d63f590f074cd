import { InjectQueue } from '@nestjs/bullmq';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { enqueueDueJobs } from '@classroom/messaging';
import { Clock, CONFIG, Dependencies, InBackground, logger, Loop } from '@classroom/platform';
import type { Queue } from 'bullmq';
import type { OrganizationConfig } from '../config.js';
import { DeliverDue } from './deliver-due.js';
import { WEBHOOK_DELIVERY_QUEUE, type DeliveryJob } from './delivery.processor.js';
import { DueSignal } from '../outgoing/due-signal.js';
import { EndpointsRepository } from '../endpoints/endpoints.repository.js';

const INTERVAL_MS = 1_000;
const JOBS_PER_CALL = 250;

/**
 * Rows hold what is due; the queue only distributes the endpoints that have due deliveries. If Redis is unreachable, this
 * process serves them itself.
 */
@Injectable()
export class DueDeliveries implements OnModuleInit {
  @InBackground() private readonly loop = new Loop('due-deliveries', INTERVAL_MS, () => this.run());
  private readonly inProgress = new Set<string>();

  constructor(
    @InjectQueue(WEBHOOK_DELIVERY_QUEUE) private readonly queue: Queue<DeliveryJob>,
    @Inject(CONFIG) private readonly config: OrganizationConfig,
    dueSignal: DueSignal,
    private readonly endpoints: EndpointsRepository,
    private readonly deliverDue: DeliverDue,
    private readonly clock: Clock,
    private readonly dependencies: Dependencies,
  ) {
    dueSignal.onWake(() => this.loop.wake());
  }

  onModuleInit(): void {
    this.dependencies.register('redis', () => this.queue.isPaused(), { required: false });
  }

  private async run(): Promise<void> {
    const due = await this.endpoints.findWithDue(this.clock.now(), this.clock.wall());
    for (let at = 0; at < due.length; at += JOBS_PER_CALL) {
      const batch = due.slice(at, at + JOBS_PER_CALL);
      if (
        !(await enqueueDueJobs(
          this.queue,
          'deliver',
          batch.map((endpointId) => ({ jobId: endpointId, data: { endpointId } })),
        ))
      ) {
        return this.deliverLocally(due.slice(at));
      }
    }
  }

  /** Does not wait for the deliveries: by the next run Redis may be reachable again, and other endpoints may be due. */
  private deliverLocally(due: string[]): void {
    for (const endpointId of due) {
      if (this.inProgress.size >= this.config.WEBHOOK_SLOTS) return;
      if (this.inProgress.has(endpointId)) continue;
      this.inProgress.add(endpointId);
      void this.deliverDue
        .execute(endpointId)
        .catch((error: unknown) => logger.warn({ err: error, endpointId }, 'webhook delivery failed; will retry'))
        .finally(() => this.inProgress.delete(endpointId));
    }
  }
}
