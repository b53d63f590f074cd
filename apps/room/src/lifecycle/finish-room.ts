import { Injectable } from '@nestjs/common';
import { roomFinished, type deleteRoom, type RpcOutput } from '@classroom/contracts';
import { fact, Outbox } from '@classroom/messaging';
import type { Transaction } from '@classroom/persistence';
import { Clock, logger, within } from '@classroom/platform';
import { EvaluateAttendance } from '../reports/evaluate-attendance.js';
import { LiveKitClock } from '../livekit/livekit-clock.js';
import { LiveKitRooms } from '../livekit/livekit-rooms.js';
import { boundsOf, CommitPresence, toSeconds } from '../presence/commit-presence.js';
import { ConnectionsRepository } from '../presence/connections.repository.js';
import { applyRoomEnd } from '../presence/interval.js';
import { LATE_S } from '../reports/record-minutes.js';
import { LiveRoomsRepository } from '../presence/live-rooms.repository.js';
import { RoomDeadlines } from '../presence/room-deadlines.js';
import { toEventRoom, type Room } from '../rooms/room.js';
import { RoomsRepository, type EndReason } from '../rooms/rooms.repository.js';

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
