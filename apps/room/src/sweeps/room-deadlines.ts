import { InjectQueue } from '@nestjs/bullmq';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { roomSweep, type JobData } from '@classroom/contracts';
import { Clock, CONFIG, Dependencies, logger } from '@classroom/platform';
import type { Queue } from 'bullmq';
import type { RoomConfig } from '../config.js';
import { LiveKitClock } from '../livekit/livekit-clock.js';

export const ROOM_SWEEP_QUEUE = roomSweep.queue;
export type FinishDueJob = JobData<typeof roomSweep>;

/** Deadlines live in rows; BullMQ only wakes whoever is free at the right moment, and a sweep finds what Redis lost. */
@Injectable()
export class RoomDeadlines implements OnModuleInit {
  constructor(
    @InjectQueue(ROOM_SWEEP_QUEUE) private readonly queue: Queue<FinishDueJob>,
    @Inject(CONFIG) private readonly config: RoomConfig,
    private readonly clock: Clock,
    private readonly livekitClock: LiveKitClock,
    private readonly dependencies: Dependencies,
  ) {}

  onModuleInit(): void {
    // Any small question will do: while Redis is away it waits, and the check gives up first.
    this.dependencies.register('redis', () => this.queue.isPaused(), { required: false });
  }

  /** When a room whose last person left at `lastLeftAt` of LiveKit's clock ends by itself; `emptyTimeout` in seconds. By our clock, as `due_at` is. */
  emptyUntil(lastLeftAt: Date, emptyTimeout: number): Date {
    return new Date(this.livekitClock.toOurs(lastLeftAt).getTime() + emptyTimeout * 1000);
  }

  /** Wakes a worker for the room at `dueAt`. Failing is no loss: the sweep comes within a second or so. */
  schedule(sid: string, dueAt: Date): void {
    const delay = Math.max(dueAt.getTime() - this.clock.now().getTime(), 0);
    const jobId = `${sid}-${dueAt.getTime()}`;
    this.queue.add('finish-due', { sid }, { jobId, delay, removeOnComplete: true, removeOnFail: 100 }).catch((error: unknown) => {
      logger.debug({ err: error, sid }, 'the deadline could not be queued; the sweep will find it');
    });
  }

  nextReconcile(): Date {
    return new Date(this.clock.wall().getTime() + this.config.RECONCILE_SECONDS * 1000);
  }
}
