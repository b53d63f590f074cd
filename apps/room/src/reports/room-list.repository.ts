import { Injectable } from '@nestjs/common';
import type { listRooms, roomRpc, RpcInput, RpcOutput } from '@classroom/contracts';
import { Database, type PagePosition, type RowOf } from '@classroom/persistence';
import { ROOM_COLUMNS, type Room } from '../rooms/room.js';
import { RoomEntity } from '../schema/room.entity.js';
import { sql } from '../schema/sql.js';

export type Filters = Pick<RpcInput<typeof listRooms>, 'status' | 'title'> & { from: Date | null; until: Date | null };
type FinishedRoom = RpcOutput<typeof roomRpc.finishedSince>['rooms'][number];

/** Rooms examined for one page: a rare word in the titles of a large organization takes several pages, but no page takes long. */
const MAX_EXAMINED = 5_000;

const page = sql.planned(
  'room-list.page',
  `WITH examined AS MATERIALIZED (
     SELECT ${ROOM_COLUMNS} FROM rooms
      WHERE organization_id = $1 AND state NOT IN ('creating', 'abandoned') AND ($2::text IS NULL OR state = $2)
        AND ($3::timestamptz IS NULL OR created_at >= $3) AND ($4::timestamptz IS NULL OR created_at < $4)
        AND ($5::timestamptz IS NULL OR (created_at, sid) < ($5, $6::text))
      ORDER BY created_at DESC, sid DESC LIMIT $7),
   found AS (
     SELECT * FROM examined WHERE $8::text IS NULL OR position(lower($8) IN lower(title)) > 0
      ORDER BY "createdAt" DESC, sid DESC LIMIT $9)
   SELECT found.*, e.examined AS "examined!", e.last, e."lastSid"
     FROM (SELECT count(*) AS examined, min("createdAt") AS last,
                  (array_agg(sid ORDER BY "createdAt", sid))[1] AS "lastSid" FROM examined) e
     LEFT JOIN found ON true ORDER BY found."createdAt" DESC, found.sid DESC`,
);

/** Uses the index of ends in the order in which they were written: the cost of a page does not grow with the number of rooms. */
const finishedSince = sql(
  'room-list.finishedSince',
  `SELECT sid, organization_id AS "organizationId", room_id AS "roomId", title, started_at AS "startedAt", ended_at AS "endedAt!",
          coalesce(finished_at, ended_at) AS "writtenAt!"
     FROM rooms WHERE state = 'finished' AND (coalesce(finished_at, ended_at), sid) > ($1, $2) AND coalesce(finished_at, ended_at) < $3
    ORDER BY coalesce(finished_at, ended_at), sid LIMIT $4`,
);

type PageRow = RowOf<typeof page>;

export interface RoomPage {
  rooms: Room[];
  /** The position at which the next page begins; undefined if there is none. */
  next: PagePosition | undefined;
}

/** If no room was found, the only row states how many rooms were examined; its room columns are null. */
const isRoom = (row: PageRow): row is PageRow & Room => row.sid !== null;

@Injectable()
export class RoomListRepository {
  constructor(private readonly database: Database) {}

  async page(
    organizationId: string,
    { status, title, from, until }: Filters,
    after: PagePosition | undefined,
    limit: number,
  ): Promise<RoomPage> {
    const examined = title === undefined ? limit + 1 : MAX_EXAMINED;
    const { createdAt = null, id = null } = after ?? {};
    const rows = await this.database.run(
      page,
      organizationId,
      status ?? null,
      from,
      until,
      createdAt,
      id,
      examined,
      title ?? null,
      limit + 1,
    );
    const found = rows.filter(isRoom);
    const rooms = found.slice(0, limit);
    const last = rooms.at(-1);
    if (found.length > limit && last) return { rooms, next: { createdAt: last.createdAt, id: last.sid } };
    const [seen] = rows;
    if (title === undefined || seen?.examined !== MAX_EXAMINED || !seen.last || !seen.lastSid) return { rooms, next: undefined };
    return { rooms, next: { createdAt: seen.last, id: seen.lastSid } };
  }

  async finishedSince(after: { at: Date; sid: string }, before: Date, limit: number): Promise<FinishedRoom[]> {
    const rows = await this.database.run(finishedSince, after.at, after.sid, before, limit);
    return rows.map(({ startedAt, endedAt, writtenAt, ...room }) => ({
      ...room,
      startedAt: startedAt?.toISOString() ?? null,
      endedAt: endedAt.toISOString(),
      writtenAt: writtenAt.toISOString(),
    }));
  }

  async hasLive(organizationId: string): Promise<boolean> {
    return this.database.manager.existsBy(RoomEntity, { organizationId, state: 'live' });
  }
}
