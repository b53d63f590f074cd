import { Injectable } from '@nestjs/common';
import { fold, MAX_LISTED_TEACHERS, type listRooms, type roomRpc, type RpcInput, type RpcOutput } from '@classroom/contracts';
import { Database, type PagePosition, type RowOf } from '@classroom/persistence';
import { ROOM_COLUMNS } from '../rooms/room.js';
import { RoomEntity } from '../schema/room.entity.js';
import { sql } from '../schema/sql.js';

/** From a time, and before another; null: without that limit. */
export interface Range {
  from: Date | null;
  until: Date | null;
}
export type Filters = Pick<RpcInput<typeof listRooms>, 'status' | 'title'> & { created: Range; started: Range };
type FinishedRoom = RpcOutput<typeof roomRpc.finishedSince>['rooms'][number];

/** Rooms examined for one page: a rare word in the titles of a large organization takes several pages, but no page takes long. */
const MAX_EXAMINED = 5_000;

const FILTERED = `organization_id = :organizationId AND state NOT IN ('creating', 'abandoned') AND (:state::text IS NULL OR state = :state)
    AND (:createdFrom::timestamptz IS NULL OR created_at >= :createdFrom) AND (:createdUntil::timestamptz IS NULL OR created_at < :createdUntil)
    AND (:afterCreatedAt::timestamptz IS NULL OR (created_at, sid) < (:afterCreatedAt, :afterSid::text))
    AND (:startedFrom::timestamptz IS NULL OR started_at >= :startedFrom)
    AND (:startedUntil::timestamptz IS NULL OR started_at < :startedUntil AND created_at < :startedUntil)`;
const ORDERED = 'ORDER BY created_at DESC, sid DESC LIMIT :limit';

const roomPage = sql.planned(
  'room-list.page',
  `SELECT ${ROOM_COLUMNS},
          ARRAY(SELECT name FROM participants p WHERE p.sid = rooms.sid AND p.role = 'TEACHER' ORDER BY uid LIMIT ${MAX_LISTED_TEACHERS}) AS "teachers!",
          (SELECT count(DISTINCT uid) FROM connections_by_month c
            WHERE c.sid = rooms.sid AND c.month = connection_month(rooms.created_at) AND c.is_counted) AS "totalParticipants!"
     FROM rooms WHERE ${FILTERED} AND (:sids::text[] IS NULL OR sid = ANY(:sids)) ${ORDERED}`,
);

/** Titles are compared here and not in Postgres, whose idea of upper and lower case depends on the locale of the database. */
const titles = sql.planned('room-list.titles', `SELECT sid, title, created_at AS "createdAt" FROM rooms WHERE ${FILTERED} ${ORDERED}`);

/** Uses the index of ends in the order in which they were written: the cost of a page does not grow with the number of rooms. */
const finishedSince = sql(
  'room-list.finishedSince',
  `SELECT sid, organization_id AS "organizationId", room_id AS "roomId", title, started_at AS "startedAt", ended_at AS "endedAt!",
          coalesce(finished_at, ended_at) AS "writtenAt!"
     FROM rooms WHERE state = 'finished' AND (coalesce(finished_at, ended_at), sid) > ($1, $2) AND coalesce(finished_at, ended_at) < $3
    ORDER BY coalesce(finished_at, ended_at), sid LIMIT $4`,
);

/** A room as the list shows it. */
export type ListedRoom = RowOf<typeof roomPage>;

const filtersOf = (organizationId: string, { status, created, started }: Filters, after: PagePosition | undefined) => ({
  organizationId,
  state: status ?? null,
  createdFrom: created.from,
  createdUntil: created.until,
  afterCreatedAt: after?.createdAt ?? null,
  afterSid: after?.id ?? null,
  startedFrom: started.from,
  startedUntil: started.until,
});

export interface RoomPage {
  rooms: ListedRoom[];
  /** The position at which the next page begins; undefined if there is none. */
  next: PagePosition | undefined;
}

@Injectable()
export class RoomListRepository {
  constructor(private readonly database: Database) {}

  async page(organizationId: string, selected: Filters, after: PagePosition | undefined, limit: number): Promise<RoomPage> {
    const { title } = selected;
    const filters = filtersOf(organizationId, selected, after);
    if (title === undefined) return this.rooms(filters, null, limit);
    const wanted = fold(title);
    const examined = await this.database.run(titles, { ...filters, limit: MAX_EXAMINED });
    const found = examined.filter((room) => fold(room.title).includes(wanted)).map(({ sid }) => sid);
    const { rooms, next } = await this.rooms(filters, found.slice(0, limit + 1), limit);
    const last = examined.at(-1);
    if (next || examined.length < MAX_EXAMINED || !last) return { rooms, next };
    return { rooms, next: { createdAt: last.createdAt, id: last.sid } };
  }

  private async rooms(filters: ReturnType<typeof filtersOf>, sids: string[] | null, limit: number): Promise<RoomPage> {
    const found = await this.database.run(roomPage, { ...filters, limit: limit + 1, sids });
    const rooms = found.slice(0, limit);
    const last = rooms.at(-1);
    return { rooms, next: found.length > limit && last ? { createdAt: last.createdAt, id: last.sid } : undefined };
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

/** Reads by the indexes of live and of created rooms. Rooms that were released from LiveKit, which may be many, are among the created ones. */
const totals = sql.planned(
  'room-totals.read',
  `SELECT count(*) FILTER (WHERE state = 'live') AS "live!", count(*) FILTER (WHERE state = 'created') AS "created!",
          coalesce(sum(participant_count), 0) AS "participants!",
          (SELECT count(*) FROM live_rooms WHERE reconcile_at <= $1 AND retry_at IS NULL) AS "overdue!",
          min(verified_at) FILTER (WHERE state = 'live' AND participant_count > 0) AS "verifiedAt"
     FROM rooms WHERE state IN ('live', 'created')`,
);

@Injectable()
export class RoomTotalsRepository {
  constructor(private readonly database: Database) {}

  async read(now: Date): Promise<RowOf<typeof totals>> {
    const row = await this.database.first(totals, now);
    return row ?? { live: 0, created: 0, participants: 0, overdue: 0, verifiedAt: null };
  }
}

/** `joinedAt` and `leftAt` of the current connection, otherwise of the latest; null if there was none. */
const LISTED = `
  SELECT p.uid AS "uid!", p.name AS "name!", p.role AS "role!", p.photo_url AS "photoURL", p.removed_at AS "removedAt",
         c.joined_at AS "joinedAt", c.left_at AS "leftAt"
    FROM participants p
    JOIN rooms r USING (sid)
    LEFT JOIN LATERAL (SELECT joined_at, left_at FROM connections_by_month c
                        WHERE c.sid = p.sid AND c.month = connection_month(r.created_at) AND c.uid = p.uid AND is_counted
                        ORDER BY left_at DESC NULLS FIRST LIMIT 1) c ON true`;

const participantPage = sql.planned(
  'participant-list.page',
  `${LISTED} WHERE p.sid = $1 AND p.uid > $2 AND ($3::boolean IS NULL OR $3 = (c.joined_at IS NOT NULL AND c.left_at IS NULL)) ORDER BY p.uid LIMIT $4`,
);

const find = sql('participant-list.find', `${LISTED} WHERE p.sid = $1 AND p.uid = $2`);

const studentNames = sql(
  'participant-list.studentNames',
  `SELECT DISTINCT p.name FROM participants p JOIN rooms r USING (sid)
    WHERE r.organization_id = $1 AND r.sid = $2 AND p.role = 'STUDENT' LIMIT 5000`,
);

export type ListedParticipant = RowOf<typeof find>;

/** The participants of a room as the organization's backend sees them. */
@Injectable()
export class ParticipantListRepository {
  constructor(private readonly database: Database) {}

  /** In the order of uids, after `after`. */
  page(
    sid: string,
    { after, isConnected, limit }: { after: string; isConnected: boolean | undefined; limit: number },
  ): Promise<ListedParticipant[]> {
    return this.database.run(participantPage, sid, after, isConnected ?? null, limit);
  }

  async find(sid: string, uid: string): Promise<ListedParticipant | undefined> {
    return this.database.first(find, sid, uid);
  }

  /** The names of at most 5000 students, which is the largest class. */
  async studentNames(organizationId: string, sid: string): Promise<string[]> {
    return (await this.database.run(studentNames, organizationId, sid)).map(({ name }) => name);
  }
}
