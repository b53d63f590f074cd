import { Inject, Injectable } from '@nestjs/common';
import { roomRpc, type RpcOutput } from '@classroom/contracts';
import { RpcClient } from '@classroom/messaging';
import { Database } from '@classroom/persistence';
import { Clock, CONFIG, logger } from '@classroom/platform';
import type { BillingConfig } from '../config.js';
import { MetersRepository } from '../metering/meters.repository.js';
import { FinishedRoomsRepository } from './finished-rooms.repository.js';

type FinishedRoom = RpcOutput<typeof roomRpc.finishedSince>['rooms'][number];

const PAGE = 200;
/** An end is in its table a little after the instant it was written at, and no two clocks are alike. */
const OVERLAP_MS = 60_000;
/** Facts are kept for so long: an end of before was read, or is nothing that a first look should charge. */
const FIRST_LOOK_MS = 30 * 86_400_000;

/**
 * Rooms that are over and whose every fact may have been lost before it was read here. Their owner is asked for the ends that it
 * wrote since; a room that is not known to be over is over from then on, and the catch-up fetches what it came to.
 */
@Injectable()
export class FinishedRooms {
  private askedAt = 0;
  private next: { after: string; afterSid: string } | undefined;

  constructor(
    @Inject(CONFIG) private readonly config: BillingConfig,
    private readonly database: Database,
    private readonly finished: FinishedRoomsRepository,
    private readonly meters: MetersRepository,
    private readonly rpc: RpcClient,
    private readonly clock: Clock,
  ) {}

  /** A page a turn, at once again where there is more: charging must not wait for it. */
  async run(): Promise<void> {
    const now = this.clock.wall().getTime();
    const patience = this.config.CATCH_UP_SECONDS * 1000;
    if (this.next === undefined && now - this.askedAt < patience) return;
    this.askedAt = now;
    const from = this.next ?? { after: await this.begin(now), afterSid: '' };
    this.next = undefined;
    // An end is asked for when its facts have had time to come.
    const before = new Date(now - patience).toISOString();
    const { rooms } = await this.rpc.call(roomRpc.finishedSince, { ...from, before, limit: PAGE });
    const found = await this.adopt(rooms);
    if (found > 0) logger.warn({ rooms: found }, 'classes had ended without any fact of it; they are fetched from the room service');
    const last = rooms.at(-1);
    // Only what is known here is behind us: a crash before this looks at the same rooms again.
    if (last) await this.finished.advance(last.writtenAt);
    this.next = last && rooms.length === PAGE ? { after: last.writtenAt, afterSid: last.sid } : undefined;
  }

  private async begin(now: number): Promise<string> {
    const through = await this.finished.through();
    return new Date(through ? through.getTime() - OVERLAP_MS : now - FIRST_LOOK_MS).toISOString();
  }

  /** How many were not known to be over. */
  private async adopt(rooms: readonly FinishedRoom[]): Promise<number> {
    const sids = new Set(await this.finished.notOver(rooms.map(({ sid }) => sid)));
    for (const room of rooms.filter(({ sid }) => sids.has(sid))) {
      await this.database.transaction(async (tx) => {
        await this.meters.lock(tx, room);
        await this.meters.setTitle(tx, room.sid, room.title);
        await this.meters.isOver(tx, room.sid, room, this.clock.now());
      });
    }
    return sids.size;
  }
}
