import { Inject, Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { AppError } from '@classroom/contracts';
import { Database } from '@classroom/persistence';
import { Clock, CONFIG, inSpan, Loop } from '@classroom/platform';
import type { RoomConfig } from '../config.js';
import { LiveKitRooms, type MediaRoom } from '../livekit/livekit-rooms.js';
import { RoomDeadlines } from '../sweeps/room-deadlines.js';
import { ReconcileRoom } from './reconcile-room.js';

const EVERY_MS = 500;
const BATCH = 40;
const SIDE_BY_SIDE = 8;
/** A room that gave no answer is asked again sooner. */
const RETRY_MS = 3_000;

/** Takes the rooms whose turn has come, as many workers side by side as there are: SKIP LOCKED shares them out. */
@Injectable()
export class Reconciler implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly loop = new Loop('reconciler', EVERY_MS, () => this.run());

  constructor(
    @Inject(CONFIG) private readonly config: RoomConfig,
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly deadlines: RoomDeadlines,
    private readonly livekit: LiveKitRooms,
    private readonly reconcileRoom: ReconcileRoom,
  ) {}

  onApplicationBootstrap(): void {
    if (this.config.ROLES.includes('worker')) this.loop.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop.stop();
  }

  private async run(): Promise<void> {
    const rooms = await this.claim();
    while (rooms.length > 0) {
      await Promise.all(rooms.splice(0, SIDE_BY_SIDE).map((room) => this.reconcile(room)));
    }
  }

  private claim(): Promise<MediaRoom[]> {
    return this.database.query<MediaRoom & Record<string, unknown>>(
      `UPDATE rooms SET reconcile_at = $2
        WHERE sid IN (SELECT sid FROM rooms WHERE reconcile_at <= $1 ORDER BY reconcile_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
       RETURNING sid, max_participants AS "maxParticipants", empty_timeout AS "emptyTimeout"`,
      [this.clock.wall(), this.deadlines.nextReconcile()],
    );
  }

  private async reconcile(room: MediaRoom): Promise<void> {
    try {
      const attributes = { 'room.sid': room.sid };
      await inSpan('reconcile room', { attributes }, () => this.reconcileRoom.execute(room.sid));
    } catch (error) {
      if (!(error instanceof AppError) || error.kind !== 'unavailable') throw error;
      // LiveKit may answer for others: then this room's node is gone, and the room wants a new one.
      await this.livekit.ensure(room).catch(() => undefined);
      await this.database.query('UPDATE rooms SET reconcile_at = $2 WHERE sid = $1 AND reconcile_at IS NOT NULL', [
        room.sid,
        new Date(this.clock.wall().getTime() + RETRY_MS),
      ]);
    }
  }
}
