import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { isUnavailable } from '@classroom/contracts';
import { Clock, InBackground, inParallel, Lease, logger, Loop, type Task } from '@classroom/platform';
import { LiveKitRooms, type MediaRoom } from '../livekit/livekit-rooms.js';
import { LiveRoomsRepository } from '../presence/live-rooms.repository.js';
import { RoomsRepository } from '../rooms/rooms.repository.js';
import { LeasesRepository, MediaRoomsRepository } from './due-rooms.repository.js';

/** Gives a task to one process at a time. If that process dies, another takes over after `ttlMs` milliseconds. */
@Injectable()
export class Leases {
  private readonly holder = randomUUID();

  constructor(
    private readonly leases: LeasesRepository,
    private readonly clock: Clock,
  ) {}

  async hold(name: string, ttlMs: number): Promise<boolean> {
    const now = this.clock.wall();
    return this.leases.take({ name, holder: this.holder, expiresAt: new Date(now.getTime() + ttlMs) }, now);
  }

  async release(name: string): Promise<void> {
    await this.leases.release(name, this.holder);
  }
}

const INTERVAL_MS = 500;
/** The cost of listing every room grows with their number, for LiveKit and for us: it may take at most a fiftieth of the time. */
const LIST_TIME_RATIO = 50;
/** Name of a room that does not exist: LiveKit answers immediately with an empty list. */
const LIVENESS_PROBE = 'RM_liveness';
const LEASE = 'livekit-rooms';
const LEASE_MS = 5_000;
/** Milliseconds. A room whose comparison is due within this time is left to the reconciler. */
const SOON_DUE_MS = 3_000;
const CONCURRENCY = 16;
/** After this many full lists, one live room's participants are requested: only that shows a node that died and came back unnoticed. */
const LISTS_PER_SAMPLE = 4;

/**
 * Makes LiveKit's rooms match our rows: recreates rooms that a restart lost, deletes rooms that have ended. Neither LiveKit's
 * own room_finished nor a room missing from its list ends a class.
 */
@Injectable()
@InBackground()
export class LiveKitRoomReconciler implements Task {
  private readonly loop = new Loop(LEASE, INTERVAL_MS, () => this.runLeased());
  private wasUnreachable = false;
  private passes = 0;
  private nextFullListAt = 0;
  /** Rooms that were missing from the previous list: a room that was just being created is missing once, not twice. */
  private previouslyMissing = new Set<string>();

  constructor(
    private readonly media: MediaRoomsRepository,
    private readonly rooms: RoomsRepository,
    private readonly liveRooms: LiveRoomsRepository,
    private readonly livekit: LiveKitRooms,
    private readonly leases: Leases,
    private readonly clock: Clock,
  ) {}

  start(): void {
    this.loop.start();
  }

  async stop(): Promise<void> {
    await this.loop.stop();
    // So that the next process does not have to wait until the lease expires.
    await this.leases.release(LEASE).catch(() => undefined);
  }

  private async runLeased(): Promise<void> {
    const hold = () => this.leases.hold(LEASE, LEASE_MS);
    if (!(await hold())) return;
    const lease = new Lease(`${LEASE}-lease`, { ms: LEASE_MS }, hold);
    await lease.during(() => this.run(lease.signal));
  }

  private async run(signal: AbortSignal): Promise<void> {
    const listed = await this.listRooms();
    if (!listed) return;
    // LiveKit's Redis keeps room records when LiveKit is killed, so after an outage the list proves nothing: every room is recreated.
    const all = this.wasUnreachable || (await this.hasLostNode());
    if (all) logger.info('LiveKit reachable again; recreating every open room');
    const names = [...listed.keys()];
    const failures =
      (await this.recreate(all ? await this.media.wanted() : await this.findMissing(names), signal)) +
      (await this.closeUnwanted(names, signal));
    this.wasUnreachable = all && failures > 0;
    await this.expediteReconciliation(listed);
  }

  /** LiveKit's rooms by name, with their numbers of participants; undefined if the next list is not due yet or LiveKit does not answer. */
  private async listRooms(): Promise<Map<string, number> | undefined> {
    const started = performance.now();
    const isFull = this.wasUnreachable || started >= this.nextFullListAt;
    try {
      const rooms = await this.livekit.list(isFull ? undefined : [LIVENESS_PROBE]);
      if (!isFull) return undefined;
      this.nextFullListAt = started + (performance.now() - started) * LIST_TIME_RATIO;
      return new Map(rooms.map(({ name, numParticipants }) => [name, numParticipants]));
    } catch (error) {
      if (!this.wasUnreachable) logger.warn({ err: error }, 'LiveKit unreachable');
      this.wasUnreachable = true;
      return undefined;
    }
  }

  private async findMissing(names: string[]): Promise<MediaRoom[]> {
    const missing = await this.media.missing(names);
    const missingTwice = missing.filter(({ sid }) => this.previouslyMissing.has(sid));
    this.previouslyMissing = new Set(missing.map(({ sid }) => sid));
    return missingTwice;
  }

  private async recreate(rooms: MediaRoom[], signal: AbortSignal): Promise<number> {
    return this.countFailures(rooms, signal, async (room) => {
      await this.livekit.recreate(room);
      // The room may have ended while it was being created.
      if (!(await this.media.isWanted(room.sid))) await this.livekit.close(room);
    });
  }

  private async closeUnwanted(names: string[], signal: AbortSignal): Promise<number> {
    return this.countFailures(await this.media.unwanted(names), signal, async (room) => {
      await this.livekit.close(room);
      await this.rooms.markMediaClosed(room.sid);
    });
  }

  private async hasLostNode(): Promise<boolean> {
    this.passes += 1;
    if (this.passes % LISTS_PER_SAMPLE !== 0) return false;
    const sid = await this.liveRooms.findLast();
    if (sid === undefined) return false;
    try {
      await this.livekit.participants(sid);
      return false;
    } catch (error) {
      return isUnavailable(error);
    }
  }

  /** LiveKit counts participants in a room that is empty by our rows: a webhook was lost, so the reconciler compares it immediately. */
  private async expediteReconciliation(listed: ReadonlyMap<string, number>): Promise<void> {
    const occupied = [...listed].filter(([, count]) => count > 0).map(([sid]) => sid);
    if (occupied.length === 0) return;
    const now = this.clock.wall();
    await this.liveRooms.expediteEmpty(occupied, now, new Date(now.getTime() + SOON_DUE_MS));
  }

  /** @param signal ends it: another process has the lease @returns for how many rooms the work failed; the next pass tries again */
  private async countFailures(rooms: MediaRoom[], signal: AbortSignal, work: (room: MediaRoom) => Promise<void>): Promise<number> {
    let failures = 0;
    await inParallel(rooms, CONCURRENCY, async (room) => {
      // LiveKit became unreachable again: the remaining rooms are not tried.
      if (failures >= CONCURRENCY || signal.aborted) failures += 1;
      else await work(room).catch(() => (failures += 1));
    });
    return failures;
  }
}
