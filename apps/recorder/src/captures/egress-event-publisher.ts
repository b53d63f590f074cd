import { Inject, Injectable } from '@nestjs/common';
import { liveKitSubject } from '@classroom/contracts';
import { StreamPublisher } from '@classroom/messaging';
import { Clock, injectTrace, Loop } from '@classroom/platform';
import type { CaptureFolder, PendingEvent } from '../state/capture-folder.js';
import type { Step } from '../state/progress.js';
import { toEgressEvent } from '../state/egress-event.js';

const RETRY_INTERVAL_MS = 1_000;

interface Queue {
  folder: CaptureFolder;
  pending: PendingEvent[];
  whenEmpty: (() => void)[];
}

/**
 * Publishes the events of captures, in the form in which the gateway stores LiveKit's webhooks. An event that NATS has not acknowledged
 * stays in the capture's folder and is published again, in order; consumers recognize a repeated event by its id.
 */
@Injectable()
export class EgressEventPublisher {
  private readonly queues = new Map<CaptureFolder, Queue>();
  private readonly loop = new Loop('egress-events', RETRY_INTERVAL_MS, () => this.publishAll());

  constructor(
    @Inject(StreamPublisher) private readonly publisher: StreamPublisher,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  start(): void {
    this.loop.start();
  }

  async stop(): Promise<void> {
    await this.loop.stop();
    await this.publishAll().catch(() => undefined);
  }

  /** Events that an earlier process could not publish come first. */
  async register(folder: CaptureFolder): Promise<void> {
    this.queues.set(folder, { folder, pending: await folder.pendingEvents(), whenEmpty: [] });
    this.loop.wake();
  }

  unregister(folder: CaptureFolder): void {
    this.queues.delete(folder);
  }

  /** Resolves once the event is on disk. */
  async publish(step: Step, folder: CaptureFolder): Promise<void> {
    const event = toEgressEvent(step, folder.job, folder.progress, this.clock.wall().getTime());
    const pending = await folder.saveEvent(step, {
      subject: liveKitSubject(event.event, folder.job.sid),
      event,
      trace: { ...folder.trace, ...injectTrace() },
    });
    this.queues.get(folder)?.pending.push(pending);
    this.loop.wake();
  }

  /** Resolves once NATS has acknowledged all events of the capture, however long that takes. */
  async flushed(folder: CaptureFolder): Promise<void> {
    const queue = this.queues.get(folder);
    if (!queue || queue.pending.length === 0) return;
    await new Promise<void>((resolve) => queue.whenEmpty.push(resolve));
  }

  private async publishAll(): Promise<void> {
    // Waits for all of them even after a failure, because the next run must not start while one is still in progress.
    const all = await Promise.allSettled([...this.queues.values()].map((queue) => this.publishQueue(queue)));
    const failed = all.find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') throw failed.reason;
  }

  private async publishQueue({ folder, pending, whenEmpty }: Queue): Promise<void> {
    for (let next = pending[0]; next; next = pending[0]) {
      const { subject, event, trace } = next;
      const body = JSON.stringify(event);
      const { traceparent = null } = trace ?? folder.trace;
      await this.publisher.publish({ stream: 'LIVEKIT', subject, body, id: event.id, traceparent });
      pending.shift();
      await folder.deleteEvent(next);
    }
    for (const resolve of whenEmpty.splice(0)) resolve();
  }
}
