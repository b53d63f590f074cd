import { Injectable } from '@nestjs/common';
import { AppError } from '@classroom/contracts';
import { Database } from '@classroom/persistence';
import { Background, Clock, inSpan, Loop } from '@classroom/platform';
import { Reactions } from '../interaction/reactions.js';
import { CreateRoom } from '../rooms/create-room.js';
import { ROOM_COLUMNS, type RoomRow } from '../rooms/room.row.js';
import { FinishDueRoom } from './finish-due-room.js';
import { ParkRoom } from './park-room.js';

const EVERY_MS = 1_000;
const BATCH = 50;
/** Longer than any creation that is still under way. */
const CREATING_FOR_MS = 15_000;
const FORGET_ABANDONED_MS = 3_600_000;

/** Finds in the rows what an event, a job or a crashed process missed. Several processes may sweep: each step is idempotent. */
@Injectable()
export class RoomSweep {
  constructor(
    background: Background,
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly createRoom: CreateRoom,
    private readonly finishDueRoom: FinishDueRoom,
    private readonly parkRoom: ParkRoom,
    private readonly reactions: Reactions,
  ) {
    background.add(new Loop('room-sweep', EVERY_MS, () => this.run()));
  }


  private async run(): Promise<void> {
    const wall = this.clock.wall().getTime();
    const due = await this.sids('due_at <= $1', this.clock.now());
    await each('finish due room', due, (sid) => this.finishDueRoom.execute(sid));
    const unused = await this.sids(`state = 'created' AND media = 'open' AND tokens_expire_at < $1`, this.parkRoom.expiredBefore());
    await each('park room', unused, (sid) => this.parkRoom.execute(sid));
    await each('place room', await this.interruptedCreations(new Date(wall - CREATING_FOR_MS)), (room) => this.createRoom.place(room));
    await this.reactions.forgetOld();
    await this.database.query(`DELETE FROM rooms WHERE state = 'abandoned' AND media = 'closed' AND created_at < $1`, [
      new Date(wall - FORGET_ABANDONED_MS),
    ]);
  }

  private async sids(condition: string, at: Date): Promise<string[]> {
    const rows = await this.database.query<{ sid: string }>(`SELECT sid FROM rooms WHERE ${condition} LIMIT ${BATCH}`, [at]);
    return rows.map(({ sid }) => sid);
  }

  private interruptedCreations(before: Date): Promise<RoomRow[]> {
    return this.database.query<RoomRow & Record<string, unknown>>(
      `SELECT ${ROOM_COLUMNS} FROM rooms WHERE state = 'creating' AND created_at < $1 LIMIT ${BATCH}`,
      [before],
    );
  }
}

/** One after the other, each a trace of its own; where a part is away the rest waits for the next run instead of failing one by one. */
async function each<T extends string | { sid: string }>(name: string, items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  for (const item of items) {
    try {
      const attributes = { 'room.sid': typeof item === 'string' ? item : item.sid };
      await inSpan(name, { attributes }, () => work(item));
    } catch (error) {
      if (error instanceof AppError && error.kind === 'unavailable') return;
      throw error;
    }
  }
}
