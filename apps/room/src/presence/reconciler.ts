import { Injectable } from '@nestjs/common';
import { AppError } from '@classroom/contracts';
import { Database } from '@classroom/persistence';
import { Background, Clock, inParallel, inSpan, logger, Loop } from '@classroom/platform';
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
export class Reconciler {
  constructor(
    background: Background,
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly deadlines: RoomDeadlines,
    private readonly livekit: LiveKitRooms,
    private readonly reconcileRoom: ReconcileRoom,
  ) {
    background.add(new Loop('reconciler', EVERY_MS, () => this.run()));
  }


  private async run(): Promise<void> {
    await inParallel(await this.claim(), SIDE_BY_SIDE, (room) => this.reconcile(room));
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
      const isAway = error instanceof AppError && error.kind === 'unavailable';
      if (!isAway) return logger.error({ err: error, sid: room.sid }, 'a room could not be compared with LiveKit');
      // LiveKit may answer for others: then this room's node is gone, and the room wants a new one.
      await this.livekit.placeAgain(room).catch(() => undefined);
      await this.database.query('UPDATE rooms SET reconcile_at = $2 WHERE sid = $1 AND reconcile_at IS NOT NULL', [
        room.sid,
        new Date(this.clock.wall().getTime() + RETRY_MS),
      ]);
    }
  }
}
