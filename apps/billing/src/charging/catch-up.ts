import { Inject, Injectable } from '@nestjs/common';
import {
  AppError,
  isUnavailable,
  MAX_LISTED_FINISHED,
  MAX_LISTED_CONNECTIONS,
  roomRpc,
  type EventData,
  type participantConnection,
  type RpcOutput,
} from '@classroom/contracts';
import { RpcClient } from '@classroom/messaging';
import { Database } from '@classroom/persistence';
import { Clock, CONFIG, InBackground, logger, Loop } from '@classroom/platform';
import type { BillingConfig } from '../config.js';
import { CatchUpRepository, FinishedRoomsRepository } from './catch-up.repository.js';
import { FoldEvents } from './fold-events.js';
import { MetersRepository } from '../metering/meters.repository.js';

/** How long facts of a finished room may take before its connections are fetched: at most a minute, less where charges are frequent. */
const patienceMs = ({ ROLLUP_SECONDS }: Pick<BillingConfig, 'ROLLUP_SECONDS'>) => Math.min(2 * ROLLUP_SECONDS, 60) * 1000;

type FinishedRoom = RpcOutput<typeof roomRpc.finishedSince>['rooms'][number];

/** Milliseconds of overlap between two reads: an end becomes visible shortly after its write time, and clocks differ. */
const OVERLAP_MS = 60_000;
/**
 * Milliseconds that the first read looks back: the retention of facts. A room that ended earlier was already processed, or must not be
 * charged by a first read.
 */
const INITIAL_LOOKBACK_MS = 30 * 86_400_000;

/**
 * Finds finished rooms whose facts were all lost. It asks the room service for the ends written since the last read, and records each
 * unknown end; the catch-up then fetches its connections.
 */
@Injectable()
export class FinishedRooms {
  private readAt = 0;
  private nextPage: { after: string; afterSid: string } | undefined;

  constructor(
    @Inject(CONFIG) private readonly config: BillingConfig,
    private readonly database: Database,
    private readonly finished: FinishedRoomsRepository,
    private readonly meters: MetersRepository,
    private readonly rpc: RpcClient,
    private readonly clock: Clock,
  ) {}

  /** Reads one page per turn, so that charging does not wait. If there may be more, the next turn continues immediately. */
  async run(): Promise<void> {
    const now = this.clock.wall().getTime();
    const delayMs = patienceMs(this.config);
    if (this.nextPage === undefined && now - this.readAt < delayMs) return;
    this.readAt = now;
    const from = this.nextPage ?? { after: await this.findStart(now), afterSid: '' };
    this.nextPage = undefined;
    // Ends are read only after their facts have had time to arrive.
    const before = new Date(now - delayMs).toISOString();
    const { rooms } = await this.rpc.call(roomRpc.finishedSince, { ...from, before, limit: MAX_LISTED_FINISHED });
    const found = await this.recordEnds(rooms);
    if (found > 0) logger.warn({ rooms: found }, 'rooms ended without a received event; fetching them from the room service');
    const last = rooms.at(-1);
    // The position advances only past rooms that are recorded. After a crash before this line, the same rooms are read again.
    if (last) await this.finished.advance(last.writtenAt);
    this.nextPage = last && rooms.length === MAX_LISTED_FINISHED ? { after: last.writtenAt, afterSid: last.sid } : undefined;
  }

  private async findStart(now: number): Promise<string> {
    const through = await this.finished.findPosition();
    return new Date(through ? through.getTime() - OVERLAP_MS : now - INITIAL_LOOKBACK_MS).toISOString();
  }

  /** @returns how many of the rooms were not known to be over. A room that no participant joined needs no meter. */
  private async recordEnds(rooms: readonly FinishedRoom[]): Promise<number> {
    const unfinished = await this.finished.filterUnfinished(rooms.map(({ sid }) => sid));
    const toRecord = rooms.filter(({ sid, startedAt }) => unfinished.has(sid) && (unfinished.get(sid)?.isMetered || startedAt !== null));
    for (const room of toRecord) {
      await this.database.transaction(async (tx) => {
        await this.meters.lock(tx, [{ ...room, isMetered: true }]);
        await this.meters.setTitles(tx, [room]);
        await this.meters.markEnded(tx, room.sid, room, this.clock.now());
      });
    }
    return toRecord.length;
  }
}

const INTERVAL_MS = 1_000;
const BATCH = 20;
/**
 * Milliseconds without a checkpoint after which a live room is compared with the room service. It verifies a live room every 15 s by default,
 * so such a gap is rare: LiveKit was unreachable or, rarer still, the fact of the room's end was lost.
 */
const STALE_AFTER_MS = 600_000;
const STALE_CHECK_INTERVAL_MS = 60_000;

/**
 * Fetches the connections of rooms whose facts did not all arrive from the room service. There are three cases: a finished room with
 * missing facts, which needs them for its final charge; a room without a checkpoint for long, whose end may have been lost; and a finished
 * room without any facts.
 */
@Injectable()
export class CatchUp {
  /**
   * A loop apart from the roll-up: while the room service is unreachable, each call takes its whole timeout, and charging must not wait for
   * that.
   */
  @InBackground() private readonly loop = new Loop('catch-up', INTERVAL_MS, () => this.run());
  private lastSid = '';
  private staleCheckedAt = 0;
  /** The last room without a recent checkpoint that the room service was asked about. */
  private lastStale: { verifiedAt: Date; sid: string } | undefined;

  constructor(
    @Inject(CONFIG) private readonly config: BillingConfig,
    private readonly database: Database,
    private readonly rooms: CatchUpRepository,
    private readonly rpc: RpcClient,
    private readonly foldEvents: FoldEvents,
    private readonly meters: MetersRepository,
    private readonly finishedRooms: FinishedRooms,
    private readonly clock: Clock,
  ) {}

  /**
   * Handles one batch per turn and starts over at the end, so that a room that can't be fetched does not block the others.
   * @throws AppError SERVICE_UNAVAILABLE at the first call that fails with it: the others would fail too, each after its timeout
   */
  async run(): Promise<void> {
    const before = new Date(this.clock.now().getTime() - patienceMs(this.config));
    const sids = await this.rooms.findLagging(before, this.lastSid, BATCH);
    for (const sid of sids) {
      this.lastSid = sid;
      await this.tryToFetch(sid);
    }
    if (sids.length < BATCH) this.lastSid = '';
    await this.checkStale();
    await this.finishedRooms.run();
  }

  private async checkStale(): Promise<void> {
    const now = this.clock.now().getTime();
    if (now - this.staleCheckedAt < STALE_CHECK_INTERVAL_MS) return;
    this.staleCheckedAt = now;
    const rooms = await this.rooms.findStale(new Date(now - STALE_AFTER_MS), this.lastStale, BATCH);
    if (rooms.length < BATCH) this.lastStale = undefined;
    for (const { sid, organizationId, roomId, verifiedAt } of rooms) {
      if (rooms.length === BATCH) this.lastStale = { verifiedAt, sid };
      const room = await this.rpc.call(roomRpc.describe, { organizationId, roomId }).catch(rethrowUnavailable);
      if (room?.state !== 'finished' || room.endedAt === null) continue;
      const { startedAt, endedAt } = room;
      await this.database.transaction((tx) => this.meters.markEnded(tx, sid, { startedAt, endedAt }, this.clock.now()));
      await this.tryToFetch(sid);
    }
  }

  /** Logs a failure; a later turn tries the room again. */
  private async tryToFetch(sid: string): Promise<void> {
    await this.fetch(sid).catch((error: unknown) => {
      logger.warn({ err: error, sid }, 'finished room not yet caught up; will retry');
      rethrowUnavailable(error);
    });
  }

  /**
   * The room's own list is authoritative: its totals replace the totals of the room's end. Each page has its own transaction, and folding a
   * page twice changes nothing.
   */
  private async fetch(sid: string): Promise<void> {
    const total = { connections: 0, versionSum: 0 };
    const before = await this.meters.findFinalVersion(sid);
    for await (const page of this.connectionsOf(sid)) {
      await this.foldEvents.applyConnections(page);
      total.connections += page.length;
      total.versionSum += page.reduce((sum, { version }) => sum + version, 0);
    }
    await this.meters.recordFetchedTotals(sid, total, before, this.clock.now());
  }

  private async *connectionsOf(sid: string): AsyncGenerator<EventData<typeof participantConnection>[]> {
    for (let after: string | undefined; ;) {
      const { connections } = await this.rpc.call(roomRpc.connections, { sid, after, limit: MAX_LISTED_CONNECTIONS });
      yield connections;
      after = connections.at(-1)?.connectionSid;
      if (connections.length < MAX_LISTED_CONNECTIONS) return;
      if (!after) throw new AppError('INTERNAL_ERROR');
    }
  }
}

/**
 * Ignores errors that concern only one room.
 * @throws AppError SERVICE_UNAVAILABLE, which concerns all rooms
 */
function rethrowUnavailable(error: unknown): undefined {
  if (isUnavailable(error)) throw error;
}
