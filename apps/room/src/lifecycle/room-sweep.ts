import { Injectable } from '@nestjs/common';
import { AppError } from '@classroom/contracts';
import { Clock, InBackground, inParallel, inSpan, logger, Loop } from '@classroom/platform';
import { Reactions } from '../interaction/reactions.js';
import { CreateRoom } from '../admission/create-room.js';
import { LiveRoomsRepository } from '../rooms/live-rooms.repository.js';
import { RoomsRepository } from '../rooms/rooms.repository.js';
import { AdvanceSchedule } from './advance-schedule.js';
import { DueRoomsRepository } from './due-rooms.repository.js';
import { FinishDueRoom } from './finish-due-room.js';
import { ReleaseIdleRoom } from './release-idle-room.js';

const INTERVAL_MS = 1_000;
const BATCH = 50;
const CONCURRENCY = 4;
/** Milliseconds; longer than any creation that is still in progress. */
const CREATION_TIMEOUT_MS = 15_000;
const ABANDONED_RETENTION_MS = 3_600_000;
const ABANDONED_INTERVAL_MS = 60_000;

/**
 * Finds in the rows the work that a lost event, a lost job or a crashed process left undone. Several processes may sweep: each
 * step is idempotent.
 */
@Injectable()
export class RoomSweep {
  @InBackground() private readonly sweep = new Loop('room-sweep', INTERVAL_MS, () => this.run());
  @InBackground() private readonly abandoned = new Loop('abandoned-rooms', ABANDONED_INTERVAL_MS, () => this.runRarely());

  constructor(
    private readonly rooms: RoomsRepository,
    private readonly liveRooms: LiveRoomsRepository,
    private readonly dueRooms: DueRoomsRepository,
    private readonly clock: Clock,
    private readonly createRoom: CreateRoom,
    private readonly finishDueRoom: FinishDueRoom,
    private readonly advanceSchedule: AdvanceSchedule,
    private readonly releaseIdleRoom: ReleaseIdleRoom,
    private readonly reactions: Reactions,
  ) {}

  private async run(): Promise<void> {
    const wall = this.clock.wall().getTime();
    const due = await this.dueRooms.due(this.clock.now(), BATCH);
    await each('finish due room', due, (sid) => this.finishDueRoom.execute(sid));
    const scheduled = await this.dueRooms.scheduled(this.clock.now(), BATCH);
    await each('advance schedule', scheduled, (sid) => this.advanceSchedule.execute(sid));
    const unused = await this.dueRooms.unused(this.releaseIdleRoom.expiredBefore(), BATCH);
    await each('park room', unused, (sid) => this.releaseIdleRoom.execute(sid));
    const interrupted = await this.dueRooms.interruptedCreations(new Date(wall - CREATION_TIMEOUT_MS), BATCH);
    await each('place room', interrupted, async (room) => void (await this.createRoom.createInLiveKit(room)));
    await this.reactions.deleteExpired();
  }

  private async runRarely(): Promise<void> {
    const now = this.clock.wall();
    await this.rooms.deleteAbandoned(new Date(now.getTime() - ABANDONED_RETENTION_MS));
    await this.liveRooms.followRooms(now);
  }
}

/**
 * Runs `work` for each item in its own trace. A failed item does not stop the others, and the next run retries it. If a
 * dependency is unreachable, the remaining items are left to the next run.
 */
async function each<T extends string | { sid: string }>(
  name: string,
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  let unavailable = 0;
  await inParallel(items, CONCURRENCY, async (item) => {
    if (unavailable >= CONCURRENCY) return;
    const sid = typeof item === 'string' ? item : item.sid;
    try {
      await inSpan(name, { attributes: { 'room.sid': sid } }, () => work(item));
    } catch (error) {
      if (error instanceof AppError && error.kind === 'unavailable') unavailable += 1;
      else logger.error({ err: error, sid, sweep: name }, 'room sweep failed; will retry');
    }
  });
}
