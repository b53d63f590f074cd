import { Inject, Injectable } from '@nestjs/common';
import { MAX_LISTED_FINISHED, roomRpc, type RpcOutput } from '@classroom/contracts';
import { RpcClient } from '@classroom/messaging';
import { Database } from '@classroom/persistence';
import { Clock, CONFIG, logger } from '@classroom/platform';
import type { BillingConfig } from '../config.js';
import { MetersRepository } from '../metering/meters.repository.js';
import { FinishedRoomsRepository } from './catch-up.repository.js';

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
    const delayMs = this.config.CATCH_UP_SECONDS * 1000;
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
