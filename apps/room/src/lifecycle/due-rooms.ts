import { Inject, Injectable } from '@nestjs/common';
import { Database, type Transaction } from '@classroom/persistence';
import { Clock, CONFIG, failpoint } from '@classroom/platform';
import { CONSUMERS, roomEndingSoon, type EventData, type EventEnvelope, type roomBudgetReached } from '@classroom/contracts';
import { Consumes, fact, Outbox, type AcceptOnce } from '@classroom/messaging';
import type { RoomConfig } from '../config.js';
import { ClassChanges } from '../interaction/class-states.js';
import { isActive, isPerson } from '../livekit/livekit-person.js';
import { LiveKitRooms } from '../livekit/livekit-rooms.js';
import { ReconcileRoom } from '../presence/presence-reconciler.js';
import { RoomDeadlines } from '../presence/room-deadlines.js';
import { RoomReadsRepository } from '../rooms/room-reads.repository.js';
import { isNoticeDue, nextStepAt, opensAt, plannedEnd, scheduledEnd, toEventRoom, type Room } from '../rooms/room.js';
import { RoomsRepository } from '../rooms/rooms.repository.js';
import { DueRoomsRepository } from './due-rooms.repository.js';
import { FinishRoom, PublishEngagement } from './end-room.js';

/** Finishes a room when its own timer expires: empty for emptyTimeout, or never joined for 30 days. */
@Injectable()
export class FinishDueRoom {
  constructor(
    private readonly database: Database,
    private readonly rooms: RoomsRepository,
    private readonly reads: RoomReadsRepository,
    private readonly livekit: LiveKitRooms,
    private readonly reconcileRoom: ReconcileRoom,
    private readonly finishRoom: FinishRoom,
    private readonly deadlines: RoomDeadlines,
    private readonly clock: Clock,
  ) {}

  /** Idempotent. @throws AppError SERVICE_UNAVAILABLE if LiveKit does not answer who is connected: a later call retries */
  async execute(sid: string): Promise<void> {
    const found = await this.reads.findBySid(sid);
    if (!found || !this.isDue(found)) return;
    // After an outage the reconciler gives participants time to come back.
    if (found.state === 'live' && !this.deadlines.isVerified(found)) return this.reconcileRoom.execute(sid);
    if (found.media === 'open' && (await this.isOccupied(found))) return;
    const finished = await this.database.transaction(async (tx) => {
      const room = await this.rooms.lockBySid(tx, sid);
      if (!room || !this.isDue(room)) return undefined;
      return (await this.finish(tx, room)) ? room : undefined;
    });
    if (finished) await this.finishRoom.closeMedia(finished);
  }

  private async finish(tx: Transaction, room: Room): Promise<boolean> {
    const { sid, lastLeftAt } = room;
    if (room.state === 'created' || lastLeftAt === null) {
      await this.finishRoom.execute(tx, room, 'unused', this.clock.now());
      return true;
    }
    // The row's deadline was computed with the offset of LiveKit's clock that was known then; the current offset may give a later one.
    const dueAt = this.deadlines.emptyTimeoutAt(lastLeftAt, room);
    if (dueAt.getTime() > this.clock.now().getTime()) {
      await this.rooms.postponeDueAt(tx, sid, dueAt);
      tx.afterCommit('due', () => this.deadlines.schedule(sid, dueAt));
      return false;
    }
    await this.finishRoom.execute(tx, room, 'empty', this.deadlines.emptyTimeoutAtLiveKit(lastLeftAt, room));
    return true;
  }

  private isDue(room: Room): boolean {
    const unfinished = room.state === 'created' || room.state === 'live';
    return unfinished && room.dueAt !== null && room.dueAt.getTime() <= this.clock.now().getTime();
  }

  /** Whether LiveKit has a participant whose join this service did not receive: such a participant keeps the class open. */
  private async isOccupied(room: Room): Promise<boolean> {
    const participants = (await this.livekit.participants(room.sid)) ?? [];
    if (!participants.some((participant) => isPerson(participant) && isActive(participant))) return false;
    await this.reconcileRoom.execute(room.sid);
    return true;
  }
}

/** From the expiry of a room's last token. LiveKit accepts a token for a minute after its expiry, and we store the expiry to the minute. */
const UNUSED_MS = 180_000;

/** A room whose tokens expired unused costs LiveKit 190 kB for nothing: it is removed from LiveKit, and the next join recreates it. */
@Injectable()
export class ReleaseIdleRoom {
  constructor(
    private readonly database: Database,
    private readonly rooms: RoomsRepository,
    private readonly reads: RoomReadsRepository,
    private readonly livekit: LiveKitRooms,
    private readonly reconcileRoom: ReconcileRoom,
    private readonly finishRoom: FinishRoom,
    private readonly clock: Clock,
  ) {}

  /** Tokens that expired by this time can no longer open a room. */
  expiredBefore(): Date {
    return new Date(this.clock.wall().getTime() - UNUSED_MS);
  }

  async execute(sid: string): Promise<void> {
    const participants = await this.livekit.participants(sid);
    if (participants && participants.length > 0) return this.reconcileRoom.execute(sid);
    const released = await this.database.transaction(async (tx) => {
      const room = await this.rooms.lockBySid(tx, sid);
      const expired = room?.tokensExpireAt && room.tokensExpireAt <= this.expiredBefore();
      if (!room || room.state !== 'created' || room.media !== 'open' || !expired) return undefined;
      await this.rooms.markMediaClosing(tx, sid);
      return room;
    });
    if (!released) return;
    await this.finishRoom.closeMedia(released);
    // Recreates the room for a join that, in the meantime, read that LiveKit has the room, or created it before it was deleted.
    const room = await this.reads.findBySid(sid);
    if (room?.media === 'open') await this.livekit.ensureRoom(room);
  }
}

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

type BudgetReached = EventEnvelope<EventData<typeof roomBudgetReached>>;

/** Ends a class that has used up its budget, or closes its doors. If the budget was changed since, billing reports whether the new one is used up too. */
@Injectable()
export class ApplyBudget {
  constructor(
    private readonly database: Database,
    private readonly rooms: RoomsRepository,
    private readonly finishRoom: FinishRoom,
  ) {}

  @Consumes<BudgetReached>(CONSUMERS.roomBudget, { concurrency: 4, keyOf: ({ subject }) => subject })
  async execute({ id, data: { sid, percent, budget, budgetVersion = 0 } }: BudgetReached, acceptOnce: AcceptOnce): Promise<void> {
    if (percent < 100 || budget.onReached === 'warn') return;
    const ended = await this.database.transaction(async (tx) => {
      if (!(await acceptOnce(tx, id))) return undefined;
      const room = await this.rooms.lockBySid(tx, sid);
      if (!room || room.state === 'finished' || budgetVersion < room.budgetVersion) return undefined;
      if (budget.onReached === 'endClass') await this.finishRoom.execute(tx, room, 'budget');
      else await this.rooms.closeDoors(tx, sid);
      await failpoint('room.budget.before-commit');
      return budget.onReached === 'endClass' ? room : undefined;
    });
    await failpoint('room.budget.after-commit');
    if (ended) await this.finishRoom.closeMedia(ended);
  }
}
