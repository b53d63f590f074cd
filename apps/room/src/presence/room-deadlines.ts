import { Inject, Injectable } from '@nestjs/common';
import { roomSweep } from '@classroom/contracts';
import { DueWorks, type JobQueue } from '@classroom/messaging';
import { Clock, CONFIG } from '@classroom/platform';
import type { RoomConfig } from '../config.js';
import { LiveKitClock } from '../livekit/livekit-clock.js';
import { plannedEnd, type Room } from '../rooms/room.js';
import { settingsOf, type WithSettings } from '../schema/settings.js';

/** Milliseconds in addition to two passes of the reconciler. */
const VERIFICATION_MARGIN_MS = 5_000;

/** From the creation of a room, or its planned end, if no participant joins it. */
const NEVER_JOINED_MS = 30 * 86_400_000;

type EmptyRoom = WithSettings & Pick<Room, 'emptySince'>;

/** Deadlines are stored in rows. The queue only wakes a free worker on time, and a sweep finds what it lost. */
@Injectable()
export class RoomDeadlines {
  private readonly queue: JobQueue<typeof roomSweep>;

  constructor(
    dueWorks: DueWorks,
    @Inject(CONFIG) private readonly config: RoomConfig,
    private readonly clock: Clock,
    private readonly livekitClock: LiveKitClock,
  ) {
    this.queue = dueWorks.queueOf(roomSweep);
  }

  /**
   * When a room that the last person left at `lastLeftAt` ends by itself: emptyTimeout later, or emptyTimeout after an outage
   * during which people could not come back, or after the start of the lesson. All times are by LiveKit's clock.
   */
  emptyTimeoutAtLiveKit(lastLeftAt: Date, { emptySince, ...room }: EmptyRoom): Date {
    const { startsAt, emptyTimeout } = settingsOf(room);
    const start = startsAt === null ? 0 : this.livekitClock.toLiveKitTime(new Date(startsAt)).getTime();
    return new Date(Math.max(lastLeftAt.getTime(), emptySince?.getTime() ?? 0, start) + emptyTimeout * 1000);
  }

  /** The room with its first join by our clock, which is the clock of its schedule. */
  byOurClock<T extends Pick<Room, 'startedAt'>>(room: T): T {
    return { ...room, startedAt: room.startedAt && this.livekitClock.toLocalTime(room.startedAt) };
  }

  /** The same by our clock, which is the clock of `due_at`. */
  emptyTimeoutAt(lastLeftAt: Date, room: EmptyRoom): Date {
    return this.livekitClock.toLocalTime(this.emptyTimeoutAtLiveKit(lastLeftAt, room));
  }

  /** When a room that no participant has joined ends by itself. */
  unusedAt(room: Pick<Room, 'createdAt' | 'settings'>): Date {
    const from = Math.max(room.createdAt.getTime(), plannedEnd(room)?.getTime() ?? 0);
    return new Date(from + NEVER_JOINED_MS);
  }

  /** When a room ends by itself after a change of its settings. */
  dueAt(room: Room): Date | null {
    if (room.state !== 'live') return this.unusedAt(room);
    return room.participantCount === 0 && room.lastLeftAt ? this.emptyTimeoutAt(room.lastLeftAt, room) : room.dueAt;
  }

  /** Whether LiveKit stated within two passes of the reconciler who is in the room. If not, LiveKit or this service was unreachable. */
  isVerified({ verifiedAt, startedAt }: Pick<Room, 'verifiedAt' | 'startedAt'>): boolean {
    const seenAt = verifiedAt ?? startedAt;
    const limitMs = 2 * this.config.RECONCILE_SECONDS * 1000 + VERIFICATION_MARGIN_MS + this.clock.jumpMs;
    return seenAt === null || this.livekitClock.now().getTime() - seenAt.getTime() <= limitMs;
  }

  /** Wakes a worker for the room at `dueAt`. A failure is harmless: the sweep finds the room within about a second. */
  schedule(sid: string, dueAt: Date): void {
    this.queue.addAt({ sid }, Math.max(dueAt.getTime() - this.clock.now().getTime(), 0), dueAt);
  }

  /** When a live room is compared with LiveKit next: after half of the interval if the comparison found a difference. */
  nextReconcile({ hasDifference = false }: { hasDifference?: boolean } = {}): Date {
    const seconds = this.config.RECONCILE_SECONDS * (hasDifference ? 0.5 : 1);
    return new Date(this.clock.classTime().getTime() + seconds * 1000);
  }
}
