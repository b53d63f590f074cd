import { Injectable } from '@nestjs/common';
import { Database, type RowOf } from '@classroom/persistence';
import { sql } from '../schema/sql.js';
import type { SessionFilter } from './reports.repository.js';

/** Rows of one statement, which keeps round trips few and memory constant. */
export const ROWS_PER_CHUNK = 5_000;

/** Microseconds since 1970, the precision of Postgres: a number is read faster than a time. */
const microseconds = (column: string) => `(extract(epoch FROM ${column}) * 1000000)::int8`;

/** The index scan starts at the previous position only because no other upper bound on `joined_at` is in the query. */
const readChunk = sql(
  'session-lines.readChunk',
  `SELECT s.sid, s.connection_sid AS "connectionSid", ${microseconds('s.joined_at')} AS "joinedAt!", ${microseconds('s.left_at')} AS "leftAt", s.ip
     FROM sessions s
    WHERE s.organization_id = $1 AND s.uid = $2 AND s.joined_at >= $3
      AND (s.joined_at, s.connection_sid) < (to_timestamp($4::int8 / 1000000.0), $6) AND ($5::text IS NULL OR s.sid = $5)
    ORDER BY s.joined_at DESC, s.connection_sid DESC LIMIT ${ROWS_PER_CHUNK}`,
);

const findRooms = sql('session-lines.findRooms', `SELECT sid, room_id AS "roomId", title FROM room_meters WHERE sid = ANY($1::text[])`);

/** A session; its times in microseconds since 1970. */
export type SessionRow = RowOf<typeof readChunk>;

/** The sessions of the reports, as they are formatted into lines. */
@Injectable()
export class SessionLinesRepository {
  constructor(private readonly database: Database) {}

  /** At most ROWS_PER_CHUNK sessions before `position`, the newest first. */
  readChunk(
    { organizationId, uid, from, sid }: SessionFilter,
    position: Pick<SessionRow, 'joinedAt' | 'connectionSid'>,
  ): Promise<SessionRow[]> {
    return this.database.run(readChunk, organizationId, uid, from, position.joinedAt, sid, position.connectionSid);
  }

  findRooms(sids: readonly string[]): Promise<RowOf<typeof findRooms>[]> {
    return this.database.run(findRooms, sids);
  }
}
