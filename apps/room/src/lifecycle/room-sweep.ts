import { Injectable } from '@nestjs/common';
import { AppError } from '@classroom/contracts';
import { Database } from '@classroom/persistence';
import { Clock, InBackground, inParallel, inSpan, logger, Loop } from '@classroom/platform';
import { Reactions } from '../interaction/reactions.js';
import { CreateRoom } from '../admission/create-room.js';
import { ROOM_COLUMNS, type RoomRow } from '../rooms/room.row.js';
import { FinishDueRoom } from './finish-due-room.js';
import { ParkRoom } from './park-room.js';

const EVERY_MS = 1_000;
const BATCH = 50;
const SIDE_BY_SIDE = 4;
/** Longer than any creation that is still under way. */
const CREATING_FOR_MS = 15_000;
const FORGET_ABANDONED_MS = 3_600_000;
const FORGET_EVERY_MS = 60_000;

/** Finds in the rows what an event, a job or a crashed process missed. Several processes may sweep: each step is idempotent. */
@Injectable()
export class RoomSweep {
  @InBackground() private readonly sweep = new Loop('room-sweep', EVERY_MS, () => this.run());
  @InBackground() private readonly abandoned = new Loop('abandoned-rooms', FORGET_EVERY_MS, () => this.forgetAbandoned());

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly createRoom: CreateRoom,
    private readonly finishDueRoom: FinishDueRoom,
    private readonly parkRoom: ParkRoom,
    private readonly reactions: Reactions,
  ) {}

  private async run(): Promise<void> {
    const wall = this.clock.wall().getTime();
    const due = await this.sids('due_at', 'true', this.clock.now());
    await each('finish due room', due, (sid) => this.finishDueRoom.execute(sid));
    const unused = await this.sids('tokens_expire_at', `state = 'created' AND media = 'open'`, this.parkRoom.expiredBefore());
    await each('park room', unused, (sid) => this.parkRoom.execute(sid));
    await each('place room', await this.interruptedCreations(new Date(wall - CREATING_FOR_MS)), (room) => this.createRoom.place(room));
    await this.reactions.forgetOld();
  }

  private async forgetAbandoned(): Promise<void> {
    await this.database.query(`DELETE FROM rooms WHERE state = 'abandoned' AND media = 'closed' AND created_at < $1`, [
      new Date(this.clock.wall().getTime() - FORGET_ABANDONED_MS),
    ]);
  }

  /** Those whose `deadline` has passed, the oldest first. */
  private async sids(deadline: string, condition: string, at: Date): Promise<string[]> {
    const rows = await this.database.query<{ sid: string }>(
      `SELECT sid FROM rooms WHERE ${deadline} <= $1 AND ${condition} ORDER BY ${deadline}, sid LIMIT ${BATCH}`,
      [at],
    );
    return rows.map(({ sid }) => sid);
  }

  private interruptedCreations(before: Date): Promise<RoomRow[]> {
    return this.database.query<RoomRow & Record<string, unknown>>(
      `SELECT ${ROOM_COLUMNS} FROM rooms WHERE state = 'creating' AND created_at < $1 ORDER BY created_at, sid LIMIT ${BATCH}`,
      [before],
    );
  }
}

/** Each a trace of its own, and none keeps the others waiting: what fails is tried again by the next run, as is the rest where a part is unreachable. */
async function each<T extends string | { sid: string }>(name: string, items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  let unanswered = 0;
  await inParallel(items, SIDE_BY_SIDE, async (item) => {
    if (unanswered >= SIDE_BY_SIDE) return;
    const sid = typeof item === 'string' ? item : item.sid;
    try {
      await inSpan(name, { attributes: { 'room.sid': sid } }, () => work(item));
    } catch (error) {
      if (error instanceof AppError && error.kind === 'unavailable') unanswered += 1;
      else logger.error({ err: error, sid, sweep: name }, 'a room could not be swept; it will be tried again');
    }
  });
}
