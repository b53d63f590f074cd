import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '@classroom/persistence';
import type { MediaRoom } from '../livekit/livekit-rooms.js';
import { LiveRoomEntity } from '../schema/live-room.entity.js';
import { sql } from '../schema/sql.js';

const add = sql(
  'live-rooms.add',
  'INSERT INTO live_rooms (sid, reconcile_at) SELECT sid, $2 FROM unnest($1::text[]) AS t(sid) ORDER BY sid ON CONFLICT DO NOTHING',
);

const claimDue = sql.planned(
  'live-rooms.claimDue',
  `UPDATE live_rooms l SET reconcile_at = $2 FROM rooms r
    WHERE r.sid = l.sid AND l.sid IN (SELECT sid FROM live_rooms WHERE reconcile_at <= $1 AND retry_at IS NULL ORDER BY reconcile_at LIMIT $3
                                         FOR UPDATE SKIP LOCKED)
   RETURNING r.sid, r.settings`,
);

const claimRetries = sql.planned(
  'live-rooms.claimRetries',
  `UPDATE live_rooms l SET retry_at = $2 FROM rooms r
    WHERE r.sid = l.sid AND l.sid IN (SELECT sid FROM live_rooms WHERE retry_at <= $1 ORDER BY retry_at LIMIT $3 FOR UPDATE SKIP LOCKED)
   RETURNING r.sid, r.settings`,
);

const expedite = sql('live-rooms.expedite', 'UPDATE live_rooms SET reconcile_at = $2 WHERE sid = ANY($1::text[]) AND reconcile_at > $2');

const expediteEmpty = sql.planned(
  'live-rooms.expediteEmpty',
  `INSERT INTO live_rooms (sid, reconcile_at)
   SELECT sid, $2 FROM rooms WHERE sid = ANY($1) AND state IN ('created', 'live') AND participant_count = 0 ORDER BY sid
   ON CONFLICT (sid) DO UPDATE SET reconcile_at = excluded.reconcile_at WHERE live_rooms.reconcile_at > $3`,
);

/** When live rooms are compared with LiveKit. Times are by the system's clock. */
@Injectable()
export class LiveRoomsRepository {
  constructor(private readonly database: Database) {}

  /** A room that already has a time keeps it. */
  async add(tx: Transaction, sids: readonly string[], reconcileAt: Date): Promise<void> {
    await tx.run(add, sids, reconcileAt);
  }

  /** Claims the rooms that are due for comparison with LiveKit, the oldest first; they are due again at `next`. */
  claimDue(now: Date, next: Date, limit: number): Promise<MediaRoom[]> {
    return this.database.run(claimDue, now, next, limit);
  }

  /** Claims the rooms for which LiveKit gave no answer and whose retry is due; their next retry is at `next`. */
  claimRetries(now: Date, next: Date, limit: number): Promise<MediaRoom[]> {
    return this.database.run(claimRetries, now, next, limit);
  }

  async recordRetryAt(sid: string, retryAt: Date | null): Promise<void> {
    await this.database.manager.update(LiveRoomEntity, { sid }, { retryAt });
  }

  /** Makes the rooms due for comparison at `soon`, if they are due later. */
  async expedite(tx: Transaction, sids: readonly string[], soon: Date): Promise<void> {
    await tx.run(expedite, sids, soon);
  }

  /** Makes the rooms of `sids` that are empty by our rows due for comparison with LiveKit now, unless they are due before `soon`. */
  async expediteEmpty(sids: string[], now: Date, soon: Date): Promise<void> {
    await this.database.run(expediteEmpty, sids, now, soon);
  }

  /** The room that will be compared with LiveKit last. */
  async findLast(): Promise<string | undefined> {
    const [room] = await this.database.manager.find(LiveRoomEntity, { select: { sid: true }, order: { reconcileAt: 'DESC' }, take: 1 });
    return room?.sid;
  }

  async remove(tx: Transaction, sid: string): Promise<void> {
    await tx.manager.delete(LiveRoomEntity, { sid });
  }
}
