import { InjectQueue } from '@nestjs/bullmq';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { roomSweep, type JobData } from '@classroom/contracts';
import { Clock, CONFIG, Dependencies, logger } from '@classroom/platform';
import type { Queue } from 'bullmq';
import type { RoomConfig } from '../config.js';
import { LiveKitClock } from '../livekit/livekit-clock.js';
import type { Room } from './room.js';

export const ROOM_SWEEP_QUEUE = roomSweep.queue;
/** Beyond two passes of the reconciler. */
const VERIFIED_MARGIN_MS = 5_000;

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

  /**
   * When a room whose last person left at `lastLeftAt` ends by itself: emptyTimeout later, or emptyTimeout after an outage in which
   * people could not come back. Both by LiveKit's clock.
   */
  emptyEnd(lastLeftAt: Date, { emptySince, emptyTimeout }: Pick<Room, 'emptySince' | 'emptyTimeout'>): Date {
    return new Date(Math.max(lastLeftAt.getTime(), emptySince?.getTime() ?? 0) + emptyTimeout * 1000);
  }

  /** The same by our clock, as `due_at` is. */
  emptyUntil(lastLeftAt: Date, room: Pick<Room, 'emptySince' | 'emptyTimeout'>): Date {
    return this.livekitClock.toOurs(this.emptyEnd(lastLeftAt, room));
  }

  /** Whether LiveKit said within two passes of the reconciler who is in the room. If not, LiveKit or this service was unreachable. */
  isVerified({ verifiedAt, startedAt }: Pick<Room, 'verifiedAt' | 'startedAt'>): boolean {
    const seenAt = verifiedAt ?? startedAt;
    const limitMs = 2 * this.config.RECONCILE_SECONDS * 1000 + VERIFIED_MARGIN_MS;
    return seenAt === null || this.livekitClock.now().getTime() - seenAt.getTime() <= limitMs;
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
