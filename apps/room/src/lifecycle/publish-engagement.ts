import { Injectable } from '@nestjs/common';
import { engagementSummarized } from '@classroom/contracts';
import { fact, Outbox } from '@classroom/messaging';
import { Database } from '@classroom/persistence';
import { Clock, failpoint } from '@classroom/platform';
import { SummarizeEngagement } from '../reports/summarize-engagement.js';
import { toEventRoom, type Room } from '../rooms/room.js';
import { RoomsRepository } from '../rooms/rooms.repository.js';
import { DueRoomsRepository } from './due-rooms.repository.js';

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
