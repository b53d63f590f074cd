import { Injectable } from '@nestjs/common';
import { AppError } from '@classroom/contracts';
import { Clock, InBackground, inParallel, inSpan, logger, Loop, within, type Task } from '@classroom/platform';
import { LiveKitRooms, type MediaRoom } from '../livekit/livekit-rooms.js';
import { RoomDeadlines } from '../rooms/room-deadlines.js';
import { RoomsRepository } from '../rooms/rooms.repository.js';
import { ReconcileRoom } from './reconcile-room.js';

const EVERY_MS = 500;
const BATCH = 40;
const SIDE_BY_SIDE = 8;
/** Milliseconds after which a room gives its place to the next one: a room whose node died answers only after 3.5 s. */
const PLACE_MS = 250;
/** Rooms that may wait for their answer without a place; if more wait, rooms keep their places. */
const MOST_WAITING = 128;
/**
 * Milliseconds until a room without an answer is asked again. These retries run separately, so that they take no places from
 * other rooms.
 */
const RETRY_MS = 3_000;
const RETRIES_SIDE_BY_SIDE = 32;

/** Reconciles the rooms whose turn has come. Any number of workers do so in parallel: SKIP LOCKED distributes the rooms. */
@Injectable()
@InBackground()
export class Reconciler implements Task {
  private readonly turns = new Loop('reconciler', EVERY_MS, () => this.takeTurns());
  private readonly retries = new Loop('reconciler-retries', EVERY_MS, () => this.retry());
  private readonly waiting = new Set<Promise<void>>();

  constructor(
    private readonly rooms: RoomsRepository,
    private readonly clock: Clock,
    private readonly deadlines: RoomDeadlines,
    private readonly livekit: LiveKitRooms,
    private readonly reconcileRoom: ReconcileRoom,
  ) {}

  start(): void {
    this.turns.start();
    this.retries.start();
  }

  async stop(): Promise<void> {
    await Promise.all([this.turns.stop(), this.retries.stop()]);
    await Promise.all(this.waiting);
  }

  private async takeTurns(): Promise<void> {
    const rooms = await this.rooms.claimTurns(this.clock.wall(), this.deadlines.nextReconcile(), BATCH);
    // After a full batch more rooms are due: no pause before the next one.
    if (rooms.length === BATCH) this.turns.wake();
    await inParallel(rooms, SIDE_BY_SIDE, (room) => this.inPlace(room));
  }

  /** If the process ends in the meantime, another one asks again at the time of the room's next regular turn. */
  private async retry(): Promise<void> {
    const rooms = await this.rooms.claimRetries(this.clock.wall(), this.deadlines.nextReconcile(), BATCH);
    await inParallel(rooms, RETRIES_SIDE_BY_SIDE, async (room) => {
      if (await this.reconcile(room)) await this.rooms.endRetries(room.sid);
    });
  }

  /** Resolves when the room is done or gives its place to the next one. */
  private async inPlace(room: MediaRoom): Promise<void> {
    const done = this.reconcile(room).then(() => undefined);
    this.waiting.add(done);
    void done.finally(() => this.waiting.delete(done));
    if (this.waiting.size > MOST_WAITING) return done;
    await within(PLACE_MS, done).catch(() => undefined);
  }

  /** Does not throw. @returns whether LiveKit answered */
  private async reconcile(room: MediaRoom): Promise<boolean> {
    try {
      const attributes = { 'room.sid': room.sid };
      await inSpan('reconcile room', { attributes }, () => this.reconcileRoom.execute(room.sid));
      return true;
    } catch (error) {
      const isUnavailable = error instanceof AppError && error.kind === 'unavailable';
      if (isUnavailable) await this.setAside(room);
      else logger.error({ err: error, sid: room.sid }, 'room could not be reconciled with LiveKit');
      return !isUnavailable;
    }
  }

  private async setAside(room: MediaRoom): Promise<void> {
    // LiveKit may answer for other rooms: then this room's node is dead, and the room needs another one.
    await this.livekit.placeAgain(room).catch(() => undefined);
    const again = new Date(this.clock.wall().getTime() + RETRY_MS);
    // If Postgres is unreachable, too, the room's next regular turn follows in any case.
    await this.rooms.retryAt(room.sid, again).catch(() => undefined);
  }
}
