import { Injectable } from '@nestjs/common';
import { Clock, InBackground, Loop } from '@classroom/platform';
import { Reactions } from '../interaction/reactions.js';
import { CreateRoom } from '../admission/create-room.js';
import { LiveRoomsRepository } from '../rooms/live-rooms.repository.js';
import { RoomsRepository } from '../rooms/rooms.repository.js';
import { AdvanceSchedule } from './advance-schedule.js';
import { DueRoomsRepository } from './due-rooms.repository.js';
import { FinishDueRoom } from './finish-due-room.js';
import { ReleaseIdleRoom } from './release-idle-room.js';
import { SweepStep } from './sweep-step.js';

const INTERVAL_MS = 1_000;
const BATCH = 50;
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

  private readonly finishing = new SweepStep('finish due room');
  private readonly advancing = new SweepStep('advance schedule');
  private readonly parking = new SweepStep('park room');
  private readonly placing = new SweepStep('place room');

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
    await this.finishing.run(due, (sid) => this.finishDueRoom.execute(sid));
    const scheduled = await this.dueRooms.scheduled(this.clock.now(), BATCH);
    await this.advancing.run(scheduled, (sid) => this.advanceSchedule.execute(sid));
    const unused = await this.dueRooms.unused(this.releaseIdleRoom.expiredBefore(), BATCH);
    await this.parking.run(unused, (sid) => this.releaseIdleRoom.execute(sid));
    const interrupted = await this.dueRooms.interruptedCreations(new Date(wall - CREATION_TIMEOUT_MS), BATCH);
    await this.placing.run(interrupted, async (room) => void (await this.createRoom.createInLiveKit(room)));
    await this.reactions.deleteExpired();
  }

  private async runRarely(): Promise<void> {
    const now = this.clock.wall();
    await this.rooms.deleteAbandoned(new Date(now.getTime() - ABANDONED_RETENTION_MS));
    await this.liveRooms.followRooms(now);
  }
}
