import { Injectable } from '@nestjs/common';
import type { listRooms, roomRpc, RpcInput, RpcOutput } from '@classroom/contracts';
import { Database, type PagePosition } from '@classroom/persistence';
import { ROOM_COLUMNS, type RoomRow } from '../rooms/room.row.js';

export type Filters = Pick<RpcInput<typeof listRooms>, 'status' | 'title'> & { from: Date | null; until: Date | null };
type FinishedRoom = RpcOutput<typeof roomRpc.finishedSince>['rooms'][number];
type FinishedRow = Omit<FinishedRoom, 'startedAt' | 'endedAt' | 'writtenAt'> & { startedAt: Date | null; endedAt: Date; writtenAt: Date };

/** Rooms looked at for one page: a rare word in the titles of a large organization takes several pages, never one long one. */
const EXAMINED = 5_000;

export interface RoomPage {
  rooms: RoomRow[];
  /** Where the next page begins; nothing where there is none. */
  next: PagePosition | undefined;
}

@Injectable()
export class RoomListRepository {
  constructor(private readonly database: Database) {}

  async page(organizationId: string, { status, title, from, until }: Filters, after: PagePosition | undefined, limit: number): Promise<RoomPage> {
    const examined = title === undefined ? limit + 1 : EXAMINED;
    const rows = await this.database.query<RoomRow & { examined: number; last: Date; lastSid: string }>(
      `WITH examined AS MATERIALIZED (
         SELECT ${ROOM_COLUMNS}, created_at FROM rooms
          WHERE organization_id = $1 AND state NOT IN ('creating', 'abandoned') AND ($2::text IS NULL OR state = $2)
            AND ($3::timestamptz IS NULL OR created_at >= $3) AND ($4::timestamptz IS NULL OR created_at < $4)
            AND ($5::timestamptz IS NULL OR (created_at, sid) < ($5, $6::text))
          ORDER BY created_at DESC, sid DESC LIMIT $7),
       found AS (
         SELECT * FROM examined WHERE $8::text IS NULL OR position(lower($8) IN lower(title)) > 0
          ORDER BY created_at DESC, sid DESC LIMIT $9)
       SELECT found.*, e.examined, e.last, e."lastSid"
         FROM (SELECT count(*)::int AS examined, min(created_at) AS last,
                      (array_agg(sid ORDER BY created_at, sid))[1] AS "lastSid" FROM examined) e
         LEFT JOIN found ON true ORDER BY found.created_at DESC, found.sid DESC`,
      [organizationId, status ?? null, from, until, after?.createdAt ?? null, after?.id ?? null, examined, title ?? null, limit + 1],
    );
    const found = rows.filter(({ sid }) => sid !== null);
    const rooms = found.slice(0, limit);
    const last = rooms.at(-1);
    if (found.length > limit && last) return { rooms, next: { createdAt: last.createdAt, id: last.sid } };
    const [seen] = rows;
    const isCut = title !== undefined && seen !== undefined && seen.examined === EXAMINED;
    return { rooms, next: isCut ? { createdAt: seen.last, id: seen.lastSid } : undefined };
  }

  /** By the index of ends in the order they were written: however many there are, a page costs its rooms. */
  async finishedSince(after: { at: Date; sid: string }, before: Date, limit: number): Promise<FinishedRoom[]> {
    const rows = await this.database.prepared<FinishedRow>(
      'rooms-finished-since',
      `SELECT sid, organization_id AS "organizationId", room_id AS "roomId", title, started_at AS "startedAt", ended_at AS "endedAt",
              coalesce(finished_at, ended_at) AS "writtenAt"
         FROM rooms WHERE state = 'finished' AND (coalesce(finished_at, ended_at), sid) > ($1, $2) AND coalesce(finished_at, ended_at) < $3
        ORDER BY coalesce(finished_at, ended_at), sid LIMIT $4`,
      [after.at, after.sid, before, limit],
    );
    return rows.map(({ startedAt, endedAt, writtenAt, ...room }) => ({
      ...room,
      startedAt: startedAt?.toISOString() ?? null,
      endedAt: endedAt.toISOString(),
      writtenAt: writtenAt.toISOString(),
    }));
  }

  async hasLive(organizationId: string): Promise<boolean> {
    const rows = await this.database.query(`SELECT 1 FROM rooms WHERE organization_id = $1 AND state = 'live' LIMIT 1`, [
      organizationId,
    ]);
    return rows.length > 0;
  }
}
