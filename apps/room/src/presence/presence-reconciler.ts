import { Injectable } from '@nestjs/common';
import { isUnavailable } from '@classroom/contracts';
import { DueWorks, type DueWork } from '@classroom/messaging';
import { Clock, InBackground, logger } from '@classroom/platform';
import { LiveKitClock } from '../livekit/livekit-clock.js';
import { LiveKitRooms, type MediaRoom } from '../livekit/livekit-rooms.js';
import { RightsReconciler } from '../participants/rights-reconciler.js';
import { ApplyLists } from './apply-lists.js';
import { LiveRoomsRepository } from './live-rooms.repository.js';
import { RoomDeadlines } from './room-deadlines.js';

/**
 * Compares one room with LiveKit's list: applies what lost webhooks would have reported, and verifies the room up to the time
 * of the request. If LiveKit answers that there is no such room, that is an empty list; no answer is not.
 */
@Injectable()
export class ReconcileRoom {
  constructor(
    private readonly applyLists: ApplyLists,
    private readonly rights: RightsReconciler,
    private readonly livekit: LiveKitRooms,
    private readonly livekitClock: LiveKitClock,
  ) {}

  /** @throws AppError SERVICE_UNAVAILABLE if LiveKit does not answer: nothing was changed */
  async execute(sid: string): Promise<void> {
    const takenAt = this.livekitClock.seconds();
    const participants = (await this.livekit.participants(sid)) ?? [];
    const { toEvict, admitted } = await this.applyLists.execute({ sid, participants, takenAt });
    for (const uid of toEvict) await this.livekit.remove(sid, uid).catch(() => undefined);
    if (admitted) await this.rights.correct([admitted]);
  }

  /** After a change of rights that concerns a whole class. If it fails, the presence reconciler does it. */
  async soon(sid: string): Promise<void> {
    await this.execute(sid).catch((error: unknown) => logger.warn({ err: error, sid }, 'rights of a class not yet applied; will retry'));
  }
}

const INTERVAL_MS = 500;
/** Rooms that are compared at the same time: many, because one whose node died answers only after 3.5 s. */
const PARALLEL = 128;
const PARALLEL_RETRIES = 32;
/** Rooms that are claimed at a time: so many comparisons begin together. */
const BATCH = 16;
/** Milliseconds until a room without an answer is requested again. */
const RETRY_DELAY_MS = 3_000;

/** Reconciles the rooms that are due. Any number of workers do so in parallel: SKIP LOCKED distributes the rooms. */
@Injectable()
export class PresenceReconciler {
  @InBackground() private readonly due: DueWork<MediaRoom>;
  /** Separately, so that they take no places from other rooms. If the process ends in the meantime, the room's next turn follows anyway. */
  @InBackground() private readonly retries: DueWork<MediaRoom>;

  constructor(
    dueWorks: DueWorks,
    private readonly liveRooms: LiveRoomsRepository,
    private readonly clock: Clock,
    deadlines: RoomDeadlines,
    private readonly livekit: LiveKitRooms,
    private readonly reconcileRoom: ReconcileRoom,
  ) {
    const common = { intervalMs: INTERVAL_MS, keyOf: ({ sid }: MediaRoom) => sid, batch: BATCH };
    this.due = dueWorks.declare<MediaRoom>({
      ...common,
      name: 'reconciler',
      parallel: PARALLEL,
      claim: (_now, limit) => liveRooms.claimDue(clock.classTime(), deadlines.nextReconcile(), limit),
      run: (room) => this.reconcile(room),
    });
    this.retries = dueWorks.declare<MediaRoom>({
      ...common,
      name: 'reconciler-retries',
      parallel: PARALLEL_RETRIES,
      isByWallTime: true,
      claim: (now, limit) => liveRooms.claimRetries(now, deadlines.nextReconcile(), limit),
      run: async (room) => {
        if (await this.reconcile(room)) await liveRooms.recordRetryAt(room.sid, null);
      },
    });
  }

  /** @returns whether LiveKit answered */
  private async reconcile(room: MediaRoom): Promise<boolean> {
    try {
      await this.reconcileRoom.execute(room.sid);
      return true;
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      // LiveKit may answer for other rooms: then this room's node is dead, and the room needs another one.
      await this.livekit.recreate(room).catch(() => undefined);
      const retryAt = new Date(this.clock.wall().getTime() + RETRY_DELAY_MS);
      // If Postgres is unreachable, too, the room's next regular turn follows in any case.
      await this.liveRooms.recordRetryAt(room.sid, retryAt).catch(() => undefined);
      return false;
    }
  }
}
