import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '@classroom/persistence';
import { Clock } from '@classroom/platform';
import { LiveKitRooms } from '../livekit/livekit-rooms.js';
import { isActive, isPerson } from '../livekit/livekit-person.js';
import { ReconcileRoom } from '../presence/presence-reconciler.js';
import { FinishRoom } from './finish-room.js';
import type { Room } from '../rooms/room.js';
import { RoomReadsRepository } from '../rooms/room-reads.repository.js';
import { RoomsRepository } from '../rooms/rooms.repository.js';
import { RoomDeadlines } from '../presence/room-deadlines.js';

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
