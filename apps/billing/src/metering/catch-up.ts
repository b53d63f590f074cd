import { Inject, Injectable } from '@nestjs/common';
import { AppError, roomRpc, type EventData, type participantConnection } from '@classroom/contracts';
import { RpcClient } from '@classroom/messaging';
import { Database } from '@classroom/persistence';
import { Clock, CONFIG, logger } from '@classroom/platform';
import type { BillingConfig } from '../config.js';
import { FinishedRooms } from './finished-rooms.js';
import { FoldEvents } from './fold-events.js';
import { MetersRepository } from './meters.repository.js';

const BATCH = 20;
const PAGE = 500;
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
  private last = '';
  private askedAt = 0;

  constructor(
    @Inject(CONFIG) private readonly config: BillingConfig,
    private readonly database: Database,
    private readonly rpc: RpcClient,
    private readonly foldEvents: FoldEvents,
    private readonly meters: MetersRepository,
    private readonly finishedRooms: FinishedRooms,
    private readonly clock: Clock,
  ) {}

  /** A batch a turn, round and round, so that a room that can't be fetched keeps nobody else waiting. */
  async run(): Promise<void> {
    const before = new Date(this.clock.now().getTime() - this.config.CATCH_UP_SECONDS * 1000);
    const rooms = await this.database.query<{ sid: string }>(
      `SELECT sid FROM room_meters WHERE finished_at < $1 AND settled_at IS NULL AND sid > $2 ORDER BY sid LIMIT ${BATCH}`,
      [before, this.last],
    );
    this.last = rooms.length === BATCH ? (rooms.at(-1)?.sid ?? '') : '';
    for (const { sid } of rooms) {
      await this.tryToFetch(sid);
    }
    await this.askUnheard();
    await this.finishedRooms.run().catch((error: unknown) => logger.warn({ err: error }, 'the room service could not be asked which rooms are over'));
  }

  private async askUnheard(): Promise<void> {
    const now = this.clock.now().getTime();
    if (now - this.askedAt < ASK_UNHEARD_EVERY_MS) return;
    this.askedAt = now;
    const rooms = await this.database.query<{ sid: string; organizationId: string; roomId: string }>(
      `SELECT sid, organization_id AS "organizationId", room_id AS "roomId" FROM room_meters
        WHERE finished_at IS NULL AND verified_at < $1 ORDER BY verified_at DESC LIMIT ${BATCH}`,
      [new Date(now - UNHEARD_MS)],
    );
    for (const { sid, organizationId, roomId } of rooms) {
      const room = await this.rpc.call(roomRpc.describe, { organizationId, roomId }).catch(() => undefined);
      if (room?.state !== 'finished' || room.endedAt === null) continue;
      const { startedAt, endedAt } = room;
      await this.database.transaction((tx) => this.meters.isOver(tx, sid, { startedAt, endedAt }, this.clock.now()));
      await this.tryToFetch(sid);
    }
  }

  /** Whose turn comes again where that fails. */
  private async tryToFetch(sid: string): Promise<void> {
    await this.fetch(sid).catch((error: unknown) => logger.warn({ err: error, sid }, 'a finished room could not be caught up yet'));
  }

  /** The room's own list is the truth: what it comes to now replaces what its end had said. */
  private async fetch(sid: string): Promise<void> {
    const connections = await this.connectionsOf(sid);
    const versionSum = connections.reduce((sum, { version }) => sum + version, 0);
    await this.database.transaction(async (tx) => {
      await this.foldEvents.connection(tx, connections);
      await tx.query(
        `UPDATE room_meters SET final_connections = $2, final_version_sum = $3, due_at = $4 WHERE sid = $1 AND settled_at IS NULL`,
        [sid, connections.length, versionSum, this.clock.now()],
      );
    });
  }

  private async connectionsOf(sid: string): Promise<EventData<typeof participantConnection>[]> {
    const all: EventData<typeof participantConnection>[] = [];
    for (let after: string | undefined; ; ) {
      const { connections } = await this.rpc.call(roomRpc.connections, { sid, after, limit: PAGE });
      all.push(...connections);
      after = connections.at(-1)?.connectionSid;
      if (connections.length < PAGE) return all;
      if (!after) throw new AppError('INTERNAL_ERROR');
    }
  }
}
