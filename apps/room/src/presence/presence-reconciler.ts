import { Injectable } from '@nestjs/common';
import { AppError } from '@classroom/contracts';
import { Clock, InBackground, inParallel, inSpan, logger, Loop, within, type Task } from '@classroom/platform';
import { LiveKitRooms, type MediaRoom } from '../livekit/livekit-rooms.js';
import { LiveRoomsRepository } from '../rooms/live-rooms.repository.js';
import { RoomDeadlines } from '../rooms/room-deadlines.js';
import { ReconcileRoom } from './reconcile-room.js';

const INTERVAL_MS = 500;
const BATCH = 40;
const CONCURRENCY = 8;
/** Milliseconds after which a room gives its slot to the next one: a room whose node died answers only after 3.5 s. */
const SLOT_MS = 250;
/** Rooms that may wait for their answer without a slot; if more wait, rooms keep their slots. */
const MAX_WAITING = 128;
/**
 * Milliseconds until a room without an answer is requested again. These retries run separately, so that they take no slots from
 * other rooms.
 */
const RETRY_DELAY_MS = 3_000;
const RETRY_CONCURRENCY = 32;

/** Reconciles the rooms that are due. Any number of workers do so in parallel: SKIP LOCKED distributes the rooms. */
@Injectable()
@InBackground()
export class PresenceReconciler implements Task {
  private readonly dueLoop = new Loop('reconciler', INTERVAL_MS, () => this.reconcileDue());
  private readonly retryLoop = new Loop('reconciler-retries', INTERVAL_MS, () => this.retry());
  private readonly waiting = new Set<Promise<void>>();

  constructor(
    private readonly liveRooms: LiveRoomsRepository,
    private readonly clock: Clock,
    private readonly deadlines: RoomDeadlines,
    private readonly livekit: LiveKitRooms,
    private readonly reconcileRoom: ReconcileRoom,
  ) {}

  start(): void {
    this.dueLoop.start();
    this.retryLoop.start();
  }

  async stop(): Promise<void> {
    await Promise.all([this.dueLoop.stop(), this.retryLoop.stop()]);
    await Promise.all(this.waiting);
  }

  private async reconcileDue(): Promise<void> {
    const rooms = await this.liveRooms.claimDue(this.clock.classTime(), this.deadlines.nextReconcile(), BATCH);
    // After a full batch more rooms are due: no pause before the next one.
    if (rooms.length === BATCH) this.dueLoop.wake();
    await inParallel(rooms, CONCURRENCY, (room) => this.runInSlot(room));
  }

  /** If the process ends in the meantime, another one retries when the room is next due. */
  private async retry(): Promise<void> {
    const rooms = await this.liveRooms.claimRetries(this.clock.wall(), this.deadlines.nextReconcile(), BATCH);
    await inParallel(rooms, RETRY_CONCURRENCY, async (room) => {
      if (await this.reconcile(room)) await this.liveRooms.recordRetryAt(room.sid, null);
    });
  }

  /** Resolves when the room is done or gives its slot to the next one. */
  private async runInSlot(room: MediaRoom): Promise<void> {
    const done = this.reconcile(room).then(() => undefined);
    this.waiting.add(done);
    void done.finally(() => this.waiting.delete(done));
    if (this.waiting.size > MAX_WAITING) return done;
    await within(SLOT_MS, done).catch(() => undefined);
  }

  /** Does not throw. @returns whether LiveKit answered */
  private async reconcile(room: MediaRoom): Promise<boolean> {
    try {
      const attributes = { 'room.sid': room.sid };
      await inSpan('reconcile room', { attributes }, () => this.reconcileRoom.execute(room.sid));
      return true;
    } catch (error) {
      const isUnavailable = error instanceof AppError && error.kind === 'unavailable';
      if (isUnavailable) await this.scheduleRetry(room);
      else logger.error({ err: error, sid: room.sid }, 'room could not be reconciled with LiveKit');
      return !isUnavailable;
    }
  }

  private async scheduleRetry(room: MediaRoom): Promise<void> {
    // LiveKit may answer for other rooms: then this room's node is dead, and the room needs another one.
    await this.livekit.recreate(room).catch(() => undefined);
    const retryAt = new Date(this.clock.wall().getTime() + RETRY_DELAY_MS);
    // If Postgres is unreachable, too, the room's next regular turn follows in any case.
    await this.liveRooms.recordRetryAt(room.sid, retryAt).catch(() => undefined);
  }
}
