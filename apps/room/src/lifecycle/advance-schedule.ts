import { Inject, Injectable } from '@nestjs/common';
import { roomEndingSoon } from '@classroom/contracts';
import { fact, Outbox } from '@classroom/messaging';
import { Database, type Transaction } from '@classroom/persistence';
import { Clock, CONFIG } from '@classroom/platform';
import type { RoomConfig } from '../config.js';
import { ClassChanges } from '../interaction/class-changes.js';
import { LiveKitRooms } from '../livekit/livekit-rooms.js';
import { RoomDeadlines } from '../presence/room-deadlines.js';
import { toEventRoom, type Room } from '../rooms/room.js';
import { RoomsRepository } from '../rooms/rooms.repository.js';
import { isNoticeDue, nextStepAt, opensAt, plannedEnd, scheduledEnd } from '../rooms/schedule.js';
import { DueRoomsRepository } from './due-rooms.repository.js';
import { FinishRoom } from './finish-room.js';
import { PublishEngagement } from './publish-engagement.js';

/** Does what a class has due: opens the room in LiveKit, gives notice of the end once, ends the class, summarizes it after its end. */
@Injectable()
export class AdvanceSchedule {
  constructor(
    @Inject(CONFIG) private readonly config: RoomConfig,
    private readonly database: Database,
    private readonly rooms: RoomsRepository,
    private readonly dueRooms: DueRoomsRepository,
    private readonly finishRoom: FinishRoom,
    private readonly publishEngagement: PublishEngagement,
    private readonly changes: ClassChanges,
    private readonly deadlines: RoomDeadlines,
    private readonly outbox: Outbox,
    private readonly livekit: LiveKitRooms,
    private readonly clock: Clock,
  ) {}

  /** Idempotent. */
  async execute(sid: string): Promise<void> {
    const done = await this.database.transaction(async (tx) => {
      const room = await this.rooms.lockBySid(tx, sid);
      if (!room || room.state === 'creating') return undefined;
      const { scheduleDueAt, endNoticed } = await this.dueRooms.findStep(tx, sid);
      if (!scheduleDueAt || scheduleDueAt > this.clock.now()) return undefined;
      return room.state === 'finished' ? { room, isOver: true, isFinished: false, isOpened: false } : this.advance(tx, room, endNoticed);
    });
    if (done?.isOver) await this.publishEngagement.execute(done.room);
    if (done?.isFinished) await this.finishRoom.closeMedia(done.room);
    // If LiveKit is unreachable, the LiveKit room reconciler creates it later.
    if (done?.isOpened) await this.livekit.ensureRoom(done.room).catch(() => undefined);
  }

  private async advance(tx: Transaction, room: Room, noticed: Date | null) {
    const now = this.clock.now();
    const scheduled = this.deadlines.byOurClock(room);
    const end = scheduledEnd(scheduled);
    if (end && end <= now) {
      await this.finishRoom.execute(tx, room, room.startedAt ? 'schedule' : 'unused', room.startedAt ? undefined : now);
      return { room, isOver: false, isFinished: true, isOpened: false };
    }
    const isNotified = isNoticeDue(scheduled, noticed, now);
    if (end && isNotified) {
      await this.changes.record(tx, room.sid, 'details');
      const data = { ...toEventRoom(room), title: room.title, endsAt: end.toISOString() };
      await this.outbox.add(tx, fact(roomEndingSoon, room.sid, data));
    }
    const isOpened = await this.open(tx, room, now);
    const scheduleDueAt = nextStepAt(scheduled, now);
    await this.rooms.recordScheduleStep(tx, room.sid, { scheduleDueAt, endNoticed: isNotified ? end : noticed });
    if (scheduleDueAt) tx.afterCommit('schedule', () => this.deadlines.schedule(room.sid, scheduleDueAt));
    return { room, isOver: false, isFinished: false, isOpened };
  }

  /** LiveKit should have a room that people may enter now. Before that it may have been removed, because no token opened it. */
  private async open(tx: Transaction, room: Room, now: Date): Promise<boolean> {
    const opening = opensAt(room);
    if (room.state !== 'created' || !opening || opening > now) return false;
    const until = Math.max(this.clock.wall().getTime(), plannedEnd(room)?.getTime() ?? 0) + this.config.JOIN_TOKEN_TTL_SECONDS * 1000;
    await this.rooms.expectJoin(tx, room.sid, new Date(until));
    return room.media !== 'open';
  }
}
