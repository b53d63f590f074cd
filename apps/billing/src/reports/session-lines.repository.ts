import { Injectable } from '@nestjs/common';
import { Database } from '@classroom/persistence';
import { sql } from '../schema/sql.js';
import type { SessionFilter } from './reports.repository.js';

/** Rows that Postgres writes into one text, which keeps round trips few and memory constant. */
export const ROWS_PER_CHUNK = 1_000;

const SECONDS = `floor(greatest(0, extract(epoch FROM coalesce(s.left_at, $6) - s.joined_at)))`;
/** Status and IP address, which follow duration and credits in both reports. */
const TAIL = `CASE WHEN s.left_at IS NULL THEN ',Active,' ELSE ',Completed,' END || csv_cell(coalesce(s.ip, ''))`;
const NEWEST_FIRST = 'ORDER BY joined_at DESC, connection_sid DESC';

/**
 * At most ROWS_PER_CHUNK rows of a report. The index scan starts at the previous position only because no other upper bound on `joined_at` is in the
 * query.
 */
const chunkOf = (head: string, join: string) =>
  `SELECT string_agg(line || minutes || ',' || minutes || tail, E'\\r\\n' ${NEWEST_FIRST}) || E'\\r\\n' AS text, count(*) AS "count!",
          min(joined_at) AS "joinedAt", (array_agg(connection_sid ${NEWEST_FIRST}))[count(*)] AS "connectionSid"
     FROM (SELECT s.joined_at, s.connection_sid, ${head} || ',' || csv_instant(s.joined_at) || ',' || csv_instant(s.left_at) || ',' AS line,
                  csv_minutes(${SECONDS}) AS minutes, ${TAIL} AS tail
             FROM sessions s ${join}
            WHERE s.organization_id = $1 AND s.uid = $2 AND s.joined_at >= $3 AND (s.joined_at, s.connection_sid) < ($4, $7)
              AND ($5::text IS NULL OR s.sid = $5)
            ORDER BY s.joined_at DESC, s.connection_sid DESC LIMIT ${ROWS_PER_CHUNK}) AS chunk`;

const ofAllRooms = sql(
  'session-lines.ofAllRooms',
  chunkOf(`csv_cell(m.room_id) || ',' || csv_cell(m.title)`, 'JOIN room_meters m USING (sid)'),
);

const ofRoom = sql(
  'session-lines.ofRoom',
  chunkOf('($8::int8 + row_number() OVER (ORDER BY s.joined_at DESC, s.connection_sid DESC))::text', ''),
);

export interface Position {
  joinedAt: Date;
  connectionSid: string;
}

export interface Chunk {
  text: string | null;
  /** The last row, if there may be more after it. */
  last: Position | undefined;
}

/** The rows of the session reports, formatted by Postgres. */
@Injectable()
export class SessionLinesRepository {
  constructor(private readonly database: Database) {}

  /**
   * Rows older than `before`.
   * @param written number of rows already written to the report
   */
  async readChunk(filter: SessionFilter, isAllRooms: boolean, before: Position, written: number): Promise<Chunk> {
    const { organizationId, uid, from, sid, now } = filter;
    const parameters = [organizationId, uid, from, before.joinedAt, sid, now, before.connectionSid] as const;
    const [chunk] = isAllRooms
      ? await this.database.run(ofAllRooms, ...parameters)
      : await this.database.run(ofRoom, ...parameters, written);
    const { text = null, count = 0, joinedAt, connectionSid } = chunk ?? {};
    return { text, last: count === ROWS_PER_CHUNK && joinedAt && connectionSid ? { joinedAt, connectionSid } : undefined };
  }
}
