import { Injectable } from '@nestjs/common';
import { AppError } from '@classroom/contracts';
import { Database } from '@classroom/persistence';
import { Clock, InBackground, inParallel, logger, Loop, type Task } from '@classroom/platform';
import { RoomsRepository } from '../rooms/rooms.repository.js';
import { Leases } from '../rooms/leases.js';
import { LiveKitRooms, type MediaRoom } from '../livekit/livekit-rooms.js';

const EVERY_MS = 500;
/** Listing every room costs LiveKit and us in proportion: it takes at most a twentieth of the time. */
const LIST_SHARE = 20;
/** A room that nobody has: LiveKit answers at once, with nothing. */
const LIVENESS_PROBE = 'RM_liveness';
const LEASE = 'media-watch';
const LEASE_MS = 5_000;
/** Many rooms take longer than the lease lasts: it is renewed between them. */
const RENEW_LEASE_MS = 1_000;
/** The reconciler comes to such a room by itself within so long. */
const SOON_MS = 3_000;
const SIDE_BY_SIDE = 16;
const MEDIA_ROOM = `sid, max_participants AS "maxParticipants", empty_timeout AS "emptyTimeout"`;
const WANTED = `media = 'open' AND state IN ('created', 'live')`;
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
    private readonly database: Database,
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
    const failures = (await this.place(all ? await this.wanted() : await this.missing(names))) + (await this.close(names));
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

  private wanted(): Promise<MediaRoom[]> {
    return this.database.query<MediaRoom & Record<string, unknown>>(`SELECT ${MEDIA_ROOM} FROM rooms WHERE ${WANTED}`);
  }

  private async missing(names: string[]): Promise<MediaRoom[]> {
    const missed = await this.database.query<MediaRoom & Record<string, unknown>>(
      `SELECT ${MEDIA_ROOM} FROM rooms WHERE ${WANTED} AND NOT (sid = ANY($1))`,
      [names],
    );
    const twice = missed.filter(({ sid }) => this.missedBefore.has(sid));
    this.missedBefore = new Set(missed.map(({ sid }) => sid));
    return twice;
  }

  private async place(rooms: MediaRoom[]): Promise<number> {
    return this.countFailures(rooms, async (room) => {
      await this.livekit.placeAgain(room);
      // It may have ended while we made it.
      const [row] = await this.database.query<{ media: string }>('SELECT media FROM rooms WHERE sid = $1', [room.sid]);
      if (row?.media !== 'open') await this.livekit.close(room);
    });
  }

  /** What is to be closed, and what LiveKit still has although it was closed (a creation that came late). */
  private async close(names: string[]): Promise<number> {
    const rooms = await this.database.query<MediaRoom & Record<string, unknown>>(
      // Not one condition with OR: for that Postgres reads every room there ever was.
      `SELECT ${MEDIA_ROOM} FROM rooms WHERE media = 'closing'
        UNION ALL SELECT ${MEDIA_ROOM} FROM rooms WHERE media = 'closed' AND sid = ANY($1) LIMIT 500`,
      [names],
    );
    return this.countFailures(rooms, async (room) => {
      await this.livekit.close(room);
      await this.rooms.markMediaClosed(room.sid);
    });
  }

  private async hasLostNode(): Promise<boolean> {
    this.passes += 1;
    if (this.passes % SAMPLE_EVERY !== 0) return false;
    const [room] = await this.database.query<{ sid: string }>(
      `SELECT sid FROM rooms WHERE state = 'live' AND media = 'open' ORDER BY reconcile_at DESC NULLS LAST LIMIT 1`,
    );
    if (!room) return false;
    try {
      await this.livekit.participants(room.sid);
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
    await this.database.query(
      `UPDATE rooms SET reconcile_at = $2
        WHERE sid = ANY($1) AND state IN ('created', 'live') AND participant_count = 0
          AND (reconcile_at IS NULL OR reconcile_at > $3)`,
      [occupied, now, new Date(now.getTime() + SOON_MS)],
    );
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
