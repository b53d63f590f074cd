import { Injectable } from '@nestjs/common';
import { AppError } from '@classroom/contracts';
import { Clock, InBackground, inParallel, logger, Loop, type Task } from '@classroom/platform';
import { RoomsRepository } from '../rooms/rooms.repository.js';
import { Leases } from '../rooms/leases.js';
import { LiveKitRooms, type MediaRoom } from '../livekit/livekit-rooms.js';
import { MediaRoomsRepository } from './media-rooms.repository.js';

const EVERY_MS = 500;
/** Listing every room costs LiveKit and us in proportion: it takes at most a twentieth of the time. */
const LIST_SHARE = 20;
/** A room that does not exist: LiveKit answers at once, with nothing. */
const LIVENESS_PROBE = 'RM_liveness';
const LEASE = 'media-watch';
const LEASE_MS = 5_000;
/** Many rooms take longer than the lease lasts: it is renewed between them. */
const RENEW_LEASE_MS = 1_000;
/** The reconciler comes to such a room by itself within so long. */
const SOON_MS = 3_000;
const SIDE_BY_SIDE = 16;
/** Every so many passes one live room is asked about itself: only that shows a node that died and came back unseen. */
const SAMPLE_EVERY = 4;

/**
 * Keeps LiveKit's rooms as our rows want them: makes again what a restart lost, deletes what has ended. LiveKit's own
 * room_finished, or a room missing from its list, never ends a class.
 */
@Injectable()
@InBackground()
export class MediaWatch implements Task {
  private readonly loop = new Loop(LEASE, EVERY_MS, () => this.run());
  private wasAway = false;
  private passes = 0;
  private listAgainAt = 0;
  private leasedAt = 0;
  /** Rooms that the list before did not show: one that was being made meanwhile is missing once, not twice. */
  private missedBefore = new Set<string>();

  constructor(
    private readonly media: MediaRoomsRepository,
    private readonly rooms: RoomsRepository,
    private readonly livekit: LiveKitRooms,
    private readonly leases: Leases,
    private readonly clock: Clock,
  ) {}

  start(): void {
    this.loop.start();
  }

  async stop(): Promise<void> {
    await this.loop.stop();
    // The next process need not wait for the lease to run out.
    await this.leases.release(LEASE).catch(() => undefined);
  }

  private async run(): Promise<void> {
    if (!(await this.holdLease())) return;
    const listed = await this.listed();
    if (!listed) return;
    // Room records outlive a killed LiveKit in its Redis, so after an absence the list proves nothing: all are made again.
    const all = this.wasAway || (await this.hasLostNode());
    if (all) logger.info('LiveKit is back: every room is made again');
    const names = [...listed.keys()];
    const failures = (await this.place(all ? await this.media.wanted() : await this.missing(names))) + (await this.close(names));
    this.wasAway = all && failures > 0;
    await this.lookAgainAt(listed);
  }

  private holdLease(): Promise<boolean> {
    this.leasedAt = performance.now();
    return this.leases.hold(LEASE, LEASE_MS);
  }

  /** Rooms by name with how many are in them; undefined where it is not yet time, or LiveKit gives no answer. */
  private async listed(): Promise<Map<string, number> | undefined> {
    const started = performance.now();
    const isFull = this.wasAway || started >= this.listAgainAt;
    try {
      const rooms = await this.livekit.list(isFull ? undefined : [LIVENESS_PROBE]);
      if (!isFull) return undefined;
      this.listAgainAt = started + (performance.now() - started) * LIST_SHARE;
      return new Map(rooms.map(({ name, numParticipants }) => [name, numParticipants]));
    } catch (error) {
      if (!this.wasAway) logger.warn({ err: error }, 'LiveKit is away');
      this.wasAway = true;
      return undefined;
    }
  }

  private async missing(names: string[]): Promise<MediaRoom[]> {
    const missed = await this.media.missing(names);
    const twice = missed.filter(({ sid }) => this.missedBefore.has(sid));
    this.missedBefore = new Set(missed.map(({ sid }) => sid));
    return twice;
  }

  private async place(rooms: MediaRoom[]): Promise<number> {
    return this.countFailures(rooms, async (room) => {
      await this.livekit.placeAgain(room);
      // It may have ended while we made it.
      if (!(await this.media.isWanted(room.sid))) await this.livekit.close(room);
    });
  }

  private async close(names: string[]): Promise<number> {
    return this.countFailures(await this.media.unwanted(names), async (room) => {
      await this.livekit.close(room);
      await this.rooms.markMediaClosed(room.sid);
    });
  }

  private async hasLostNode(): Promise<boolean> {
    this.passes += 1;
    if (this.passes % SAMPLE_EVERY !== 0) return false;
    const sid = await this.media.sample();
    if (sid === undefined) return false;
    try {
      await this.livekit.participants(sid);
      return false;
    } catch (error) {
      return error instanceof AppError && error.kind === 'unavailable';
    }
  }

  /** LiveKit counts people where we know of none: the webhook was lost, so the reconciler looks at once. */
  private async lookAgainAt(listed: ReadonlyMap<string, number>): Promise<void> {
    const occupied = [...listed].filter(([, count]) => count > 0).map(([sid]) => sid);
    if (occupied.length === 0) return;
    const now = this.clock.wall();
    await this.rooms.reconcileEmpty(occupied, now, new Date(now.getTime() + SOON_MS));
  }

  /** How many could not be done now; the next pass tries again. */
  private async countFailures(rooms: MediaRoom[], work: (room: MediaRoom) => Promise<void>): Promise<number> {
    let failures = 0;
    const attempt = async (room: MediaRoom) => {
      if (performance.now() - this.leasedAt > RENEW_LEASE_MS && !(await this.holdLease())) throw new Error('another process watches now');
      await work(room);
    };
    await inParallel(rooms, SIDE_BY_SIDE, async (room) => {
      // LiveKit became unreachable again, or the lease is lost: no use in trying the rest.
      if (failures >= SIDE_BY_SIDE) failures += 1;
      else await attempt(room).catch(() => (failures += 1));
    });
    return failures;
  }
}
