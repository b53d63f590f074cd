import { Injectable } from '@nestjs/common';
import { roomSweep, type JobData } from '@classroom/contracts';
import { DueWorks, type DueWork } from '@classroom/messaging';
import { Clock, InBackground, Loop } from '@classroom/platform';
import { Reactions } from '../interaction/reactions.js';
import { RoomsRepository } from '../rooms/rooms.repository.js';
import { AdvanceSchedule, FinishDueRoom, ReleaseIdleRoom } from './due-rooms.js';
import { DueRoomsRepository } from './due-rooms.repository.js';

const PARALLEL = 8;
const REACTIONS_INTERVAL_MS = 1_000;
const ABANDONED_RETENTION_MS = 3_600_000;
const ABANDONED_INTERVAL_MS = 60_000;

/**
 * Does what rooms have due, and finds in the rows what a lost event, a lost job or a crashed process left undone. Several processes may do so: each
 * step is idempotent.
 */
@Injectable()
export class RoomSweep {
  @InBackground() private readonly deadlines: DueWork<JobData<typeof roomSweep>>;
  @InBackground() private readonly releases: DueWork<string>;
  @InBackground() private readonly expired: Loop;
  @InBackground() private readonly abandoned: Loop;

  constructor(
    dueWorks: DueWorks,
    rooms: RoomsRepository,
    dueRooms: DueRoomsRepository,
    clock: Clock,
    finishDueRoom: FinishDueRoom,
    advanceSchedule: AdvanceSchedule,
    releaseIdleRoom: ReleaseIdleRoom,
    reactions: Reactions,
  ) {
    this.deadlines = dueWorks.declareQueued(roomSweep, {
      // A sandbox moves the clock and waits for what is due then: these items do not take the way through Redis.
      isWakeOnly: true,
      find: async (now, limit) => {
        const sids = [...(await dueRooms.due(now, limit)), ...(await dueRooms.scheduled(now, limit))];
        return [...new Set(sids)].map((sid) => ({ sid }));
      },
      run: async ({ sid }) => {
        // Also if LiveKit does not say whether the room is empty: the schedule does not depend on that.
        await finishDueRoom.execute(sid).finally(() => advanceSchedule.execute(sid));
      },
      parallel: PARALLEL,
    });
    this.releases = dueWorks.declare<string>({
      name: 'release-rooms',
      keyOf: (sid) => sid,
      find: (_now, limit) => dueRooms.unused(releaseIdleRoom.expiredBefore(), limit),
      run: (sid) => releaseIdleRoom.execute(sid),
      parallel: PARALLEL,
    });
    this.expired = new Loop('expired-reactions', REACTIONS_INTERVAL_MS, () => reactions.deleteExpired());
    this.abandoned = new Loop('abandoned-rooms', ABANDONED_INTERVAL_MS, () =>
      rooms.deleteAbandoned(new Date(clock.wall().getTime() - ABANDONED_RETENTION_MS)),
    );
  }
}

const INTERVAL_MS = 3_600_000;

/** Adds the partitions of the coming months, so that creating a room does not wait for them. Several processes may do so. */
@Injectable()
export class AddConnectionPartitions {
  @InBackground() private readonly loop = new Loop('connection-partitions', INTERVAL_MS, () => this.execute());

  constructor(
    private readonly rooms: RoomsRepository,
    private readonly clock: Clock,
  ) {}

  private execute(): Promise<void> {
    return this.rooms.addPartitionsAhead(this.clock.now());
  }
}
