import { Inject, Injectable } from '@nestjs/common';
import { AppError, roomRpc, type EventData, type participantConnection } from '@classroom/contracts';
import { RpcClient } from '@classroom/messaging';
import { Database } from '@classroom/persistence';
import { Clock, CONFIG, InBackground, logger, Loop } from '@classroom/platform';
import type { BillingConfig } from '../config.js';
import { CatchUpRepository } from './catch-up.repository.js';
import { FinishedRooms } from './finished-rooms.js';
import { FoldEvents } from './fold-events.js';
import { MetersRepository } from '../metering/meters.repository.js';

const EVERY_MS = 1_000;
const BATCH = 20;
/** Names of 256 characters take 1.5 kB each at most: a page of so many fits into one message. */
const PAGE = 200;
/** A live room is verified every few seconds; LiveKit away for this long is rare, a lost end of a class rarer still. */
const UNHEARD_MS = 600_000;
const ASK_UNHEARD_EVERY_MS = 60_000;

/**
 * Rooms whose facts did not all arrive are fetched from their owner: a finished one whose fold still lags, so that its
 * final charge can be made, one that has not been heard of for long, whose very end may have been lost, and one that was
 * never heard of at all.
 */
@Injectable()
export class CatchUp {
  /** Not a part of the roll-up: while the room service is unreachable each call takes its whole timeout, and charging must not wait for that. */
  @InBackground() private readonly loop = new Loop('catch-up', EVERY_MS, () => this.run());
  private last = '';
  private askedAt = 0;
  /** The unheard room that was asked about last. */
  private asked: { verifiedAt: Date; sid: string } | undefined;

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
   * A batch a turn, round and round, so that a room that can't be fetched keeps no other waiting.
   * @throws AppError SERVICE_UNAVAILABLE at the first call that says so: the others would say it too, each after its timeout
   */
  async run(): Promise<void> {
    const before = new Date(this.clock.now().getTime() - this.config.CATCH_UP_SECONDS * 1000);
    const sids = await this.rooms.lagging(before, this.last, BATCH);
    for (const sid of sids) {
      this.last = sid;
      await this.tryToFetch(sid);
    }
    if (sids.length < BATCH) this.last = '';
    await this.askUnheard();
    await this.finishedRooms.run();
  }

  private async askUnheard(): Promise<void> {
    const now = this.clock.now().getTime();
    if (now - this.askedAt < ASK_UNHEARD_EVERY_MS) return;
    this.askedAt = now;
    const rooms = await this.rooms.unheard(new Date(now - UNHEARD_MS), this.asked, BATCH);
    if (rooms.length < BATCH) this.asked = undefined;
    for (const { sid, organizationId, roomId, verifiedAt } of rooms) {
      if (rooms.length === BATCH) this.asked = { verifiedAt, sid };
      const room = await this.rpc.call(roomRpc.describe, { organizationId, roomId }).catch(unlessUnavailable);
      if (room?.state !== 'finished' || room.endedAt === null) continue;
      const { startedAt, endedAt } = room;
      await this.database.transaction((tx) => this.meters.isOver(tx, sid, { startedAt, endedAt }, this.clock.now()));
      await this.tryToFetch(sid);
    }
  }

  /** Whose turn comes again where that fails. */
  private async tryToFetch(sid: string): Promise<void> {
    await this.fetch(sid).catch((error: unknown) => {
      logger.warn({ err: error, sid }, 'a finished room could not be caught up yet');
      unlessUnavailable(error);
    });
  }

  /** The room's own list is the truth: what it comes to now replaces what its end had said. A page a transaction; folding one twice changes nothing. */
  private async fetch(sid: string): Promise<void> {
    const total = { connections: 0, versionSum: 0 };
    for await (const page of this.connectionsOf(sid)) {
      await this.database.transaction((tx) => this.foldEvents.connection(tx, page));
      total.connections += page.length;
      total.versionSum += page.reduce((sum, { version }) => sum + version, 0);
    }
    await this.meters.fetched(sid, total, this.clock.now());
  }

  private async *connectionsOf(sid: string): AsyncGenerator<EventData<typeof participantConnection>[]> {
    for (let after: string | undefined; ;) {
      const { connections } = await this.rpc.call(roomRpc.connections, { sid, after, limit: PAGE });
      yield connections;
      after = connections.at(-1)?.connectionSid;
      if (connections.length < PAGE) return;
      if (!after) throw new AppError('INTERNAL_ERROR');
    }
  }
}

/** What concerns one room alone. @throws the error that concerns all rooms */
function unlessUnavailable(error: unknown): undefined {
  if (error instanceof AppError && error.code === 'SERVICE_UNAVAILABLE') throw error;
}
