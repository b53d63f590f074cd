import { Injectable } from '@nestjs/common';
import {
  AppError,
  closingRpc,
  deleteRoom,
  endClass,
  engagementSummarized,
  roomFinished,
  type RpcInput,
  type RpcOutput,
} from '@classroom/contracts';
import { fact, Handles, Outbox } from '@classroom/messaging';
import { Database, type Transaction } from '@classroom/persistence';
import { annotate, Clock, failpoint, inParallel, logger, within } from '@classroom/platform';
import { LiveKitClock } from '../livekit/livekit-clock.js';
import { LiveKitRooms } from '../livekit/livekit-rooms.js';
import { ClassAuthorizer } from '../participants/class-authorizer.js';
import { boundsOf, CommitPresence, toSeconds } from '../presence/commit-presence.js';
import { ConnectionsRepository } from '../presence/connections.repository.js';
import { applyRoomEnd } from '../presence/interval.js';
import { LiveRoomsRepository } from '../presence/live-rooms.repository.js';
import { RoomDeadlines } from '../presence/room-deadlines.js';
import { EvaluateAttendance } from '../reports/evaluate-attendance.js';
import { LATE_S, SummarizeEngagement } from '../reports/engagement.js';
import { RoomReadsRepository } from '../rooms/room-reads.repository.js';
import { toEventRoom, type Room } from '../rooms/room.js';
import { RoomsRepository, type EndReason } from '../rooms/rooms.repository.js';
import { DueRoomsRepository } from './due-rooms.repository.js';

/** Milliseconds that a caller waits until LiveKit has disconnected everyone; after that the LiveKit room reconciler continues alone. */
const CLOSE_TIMEOUT_MS = 2_500;

@Injectable()
export class FinishRoom {
  constructor(
    private readonly rooms: RoomsRepository,
    private readonly liveRooms: LiveRoomsRepository,
    private readonly connections: ConnectionsRepository,
    private readonly commitPresence: CommitPresence,
    private readonly evaluateAttendance: EvaluateAttendance,
    private readonly deadlines: RoomDeadlines,
    private readonly outbox: Outbox,
    private readonly livekit: LiveKitRooms,
    private readonly livekitClock: LiveKitClock,
    private readonly clock: Clock,
  ) {}

  /**
   * Ends the class permanently, in the transaction that has locked the room: closes all connections, marks LiveKit's room for
   * deletion, and publishes one fact with the totals and, with an attendance policy, one with the attendance; the engagement follows. `endedAt` defaults to now by LiveKit's clock.
   */
  async execute(
    tx: Transaction,
    room: Room,
    reason: EndReason,
    endedAt: Date = this.livekitClock.now(),
  ): Promise<RpcOutput<typeof deleteRoom>> {
    const open = await this.connections.findOpen(tx, room.sid);
    const closings = applyRoomEnd(open, toSeconds(endedAt), this.deadlines.isVerified(room), boundsOf(room));
    const lastVersion = await this.commitPresence.save(tx, room, closings);
    const summaryDueAt = room.startedAt && new Date(this.clock.now().getTime() + LATE_S * 1000);
    await this.rooms.finish(tx, room.sid, { endedAt, reason, at: this.clock.wall(), summaryDueAt });
    if (summaryDueAt) tx.afterCommit('summary', () => this.deadlines.schedule(room.sid, summaryDueAt));
    await this.liveRooms.remove(tx, room.sid);
    const totals = await this.connections.totals(tx, room.sid);
    const data = {
      ...toEventRoom(room),
      title: room.title,
      startedAt: room.startedAt?.toISOString() ?? null,
      endedAt: endedAt.toISOString(),
      reason,
      ...totals,
      lastVersion,
      budgetVersion: room.budgetVersion,
    };
    await this.outbox.addAll(tx, [fact(roomFinished, room.sid, data), ...(await this.evaluateAttendance.execute(tx, room, endedAt))]);
    return {
      roomId: room.roomId,
      participantsDisconnected: open.filter(({ isCounted }) => isCounted).length,
      wasRecording: room.isRecording,
      endedAt: data.endedAt,
    };
  }

  /** After the commit: disconnects everyone. If this fails, the LiveKit room reconciler repeats it until LiveKit has done it. */
  async closeMedia(room: Room): Promise<void> {
    const closing = this.livekit
      .close(room)
      .then(() => this.rooms.markMediaClosed(room.sid))
      .catch((error: unknown) => logger.warn({ err: error, sid: room.sid }, 'room not yet closed in LiveKit; will retry'));
    await within(CLOSE_TIMEOUT_MS, closing).catch(() => undefined);
  }
}

@Injectable()
export class EndRoom {
  constructor(
    private readonly database: Database,
    private readonly rooms: RoomsRepository,
    private readonly finishRoom: FinishRoom,
  ) {}

  /** @throws AppError ROOM_NOT_FOUND, ROOM_ENDED */
  @Handles(deleteRoom)
  async execute({ organizationId, roomId }: RpcInput<typeof deleteRoom>): Promise<RpcOutput<typeof deleteRoom>> {
    const { room, ended } = await this.database.transaction(async (tx) => {
      const locked = await this.rooms.lock(tx, organizationId, roomId);
      if (!locked) throw new AppError('ROOM_NOT_FOUND');
      annotate({ 'room.sid': locked.sid });
      if (locked.state === 'finished') throw new AppError('ROOM_ENDED');
      return { room: locked, ended: await this.finishRoom.execute(tx, locked, 'deleted') };
    });
    await failpoint('room.end.after-commit');
    await this.finishRoom.closeMedia(room);
    return ended;
  }
}

@Injectable()
export class EndClass {
  constructor(
    private readonly database: Database,
    private readonly authorizer: ClassAuthorizer,
    private readonly finishRoom: FinishRoom,
  ) {}

  /** @throws AppError UNAUTHORIZED, FORBIDDEN, ROOM_ENDED */
  @Handles(endClass)
  async execute({ caller }: RpcInput<typeof endClass>): Promise<RpcOutput<typeof endClass>> {
    const { room, ended } = await this.database.transaction(async (tx) => {
      const { room: locked } = await this.authorizer.requirePermission(tx, caller, 'endClass');
      return { room: locked, ended: await this.finishRoom.execute(tx, locked, 'class_ended') };
    });
    await this.finishRoom.closeMedia(room);
    return ended;
  }
}

/** Of one call, which has to be answered within its timeout: LiveKit is given 2.5 s for each class. */
const BATCH = 20;
const CONCURRENCY = 4;

/** Ends the classes of an organization that is being erased. */
@Injectable()
export class EndClasses {
  constructor(
    private readonly rooms: RoomReadsRepository,
    private readonly endRoom: EndRoom,
  ) {}

  @Handles(closingRpc.endClasses)
  async execute({ organizationId }: RpcInput<typeof closingRpc.endClasses>) {
    const roomIds = await this.rooms.listOpen(organizationId, BATCH);
    await inParallel(roomIds, CONCURRENCY, (roomId) => this.end(organizationId, roomId));
    return { isDone: roomIds.length === 0 };
  }

  private async end(organizationId: string, roomId: string): Promise<void> {
    try {
      await this.endRoom.execute({ organizationId, roomId });
    } catch (error) {
      // Ended by another call, or not yet created in LiveKit: the next call looks again.
      const isOver = error instanceof AppError && (error.code === 'ROOM_ENDED' || error.code === 'ROOM_NOT_FOUND');
      if (!isOver) throw error;
    }
  }
}

/** Publishes how everyone took part in a class that is over, once, when that is due. */
@Injectable()
export class PublishEngagement {
  constructor(
    private readonly database: Database,
    private readonly rooms: RoomsRepository,
    private readonly dueRooms: DueRoomsRepository,
    private readonly summarizeEngagement: SummarizeEngagement,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  /** Idempotent: the row decides that it is due, and that it no longer is. */
  async execute({ sid }: Pick<Room, 'sid'>): Promise<void> {
    await this.database.transaction(async (tx) => {
      const room = await this.rooms.lockBySid(tx, sid);
      const { scheduleDueAt, endNoticed } = await this.dueRooms.findStep(tx, sid);
      if (!room?.startedAt || !room.endedAt || !scheduleDueAt || scheduleDueAt > this.clock.now()) return;
      await this.rooms.recordScheduleStep(tx, sid, { scheduleDueAt: null, endNoticed });
      // Under the lock, which an erasure takes too: what is published later names no one who was erased.
      const summary = await this.summarizeEngagement.execute(tx, sid);
      const [startedAt, endedAt] = [room.startedAt.toISOString(), room.endedAt.toISOString()];
      await this.outbox.add(
        tx,
        fact(engagementSummarized, sid, { ...toEventRoom(room), title: room.title, startedAt, endedAt, ...summary }),
      );
      await failpoint('room.summary.before-commit');
    });
  }
}
