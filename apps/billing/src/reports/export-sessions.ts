import { Injectable } from '@nestjs/common';
import type { SessionsQuery } from '@classroom/contracts';
import { Database } from '@classroom/persistence';
import { creditsOf } from '../metering/charge.js';
import { cell, line, minutes, row } from './csv.js';
import { ParticipantSessions, type ReportScope } from './participant-sessions.js';
import { ReportsRepository, type Totals } from './reports.repository.js';

/** Rows that Postgres writes into one text: few round trips, flat memory. */
const CHUNK = 5_000;
const ALL_ROOMS_HEADER = 'Room ID,Room Title,Joined At,Left At,Duration (min),Credits,Status,IP Address';
const ONE_ROOM_HEADER = 'Session #,Joined At,Left At,Duration (minutes),Credits Consumed,Status,IP Address';
const SECONDS = `floor(greatest(0, extract(epoch FROM coalesce(s.left_at, $6) - s.joined_at)))`;
/** Duration, credits, status and address, in both files alike. */
const TAIL = `csv_minutes(${SECONDS}) || ',' || csv_minutes(${SECONDS}) || ',' ||
  CASE WHEN s.left_at IS NULL THEN 'Active' ELSE 'Completed' END || ',' || csv_cell(coalesce(s.ip, ''))`;

interface Position {
  joinedAt: Date;
  connectionSid: string;
}

/** The participant session report as CSV, a part at a time: header, totals, rooms, then all sessions, newest first. */
@Injectable()
export class ExportSessions {
  constructor(
    private readonly database: Database,
    private readonly sessions: ParticipantSessions,
    private readonly reports: ReportsRepository,
  ) {}

  async *execute(query: SessionsQuery): AsyncGenerator<string> {
    const scope = await this.sessions.scope(query);
    const participant = await this.sessions.participant(query);
    const totals = await this.reports.totals(scope.filter);
    const identity =
      row('Participant UID', participant.uid) + row('Participant Name', participant.name) + row('Role', participant.role);
    if (query.roomId === undefined) {
      yield line('Participant Session Report') + identity + line() + toSummary(totals, 'all rooms');
      yield* this.rooms(scope);
      yield line() + line('Detailed Sessions') + line(ALL_ROOMS_HEADER);
    } else {
      const room = row('Room ID', query.roomId) + row('Room Title', scope.room?.title ?? null);
      yield line('Participant Session Report - Single Room') + identity + room + line() + toSummary(totals, 'one room');
      yield line() + line('Sessions') + line(ONE_ROOM_HEADER);
    }
    yield* this.rows(scope, query.roomId === undefined);
  }

  private async *rooms({ filter }: ReportScope): AsyncGenerator<string> {
    yield line() + line('Room Summary') + line('Room ID,Room Title,Sessions,Total Time (min),Credits Consumed,Avg Session (min)');
    for (let offset = 0; ; offset += CHUNK) {
      const groups = await this.reports.groups(filter, CHUNK, offset);
      yield groups
        .map(({ roomId, title, sessions, seconds }) =>
          line([cell(roomId), cell(title), sessions, minutes(seconds), creditsOf(seconds), minutes(seconds / sessions)].join(',')),
        )
        .join('');
      if (groups.length < CHUNK) return;
    }
  }

  /** Each chunk begins after the last row of the one before, by index: no cursor, no transaction that stays open. */
  private async *rows({ filter }: ReportScope, isAllRooms: boolean): AsyncGenerator<string> {
    const head = isAllRooms
      ? `csv_cell(m.room_id) || ',' || csv_cell(m.title)`
      : `($10::int8 + row_number() OVER (ORDER BY s.joined_at DESC, s.connection_sid DESC))::text`;
    const sql = `
      SELECT string_agg(line, E'\\r\\n' ORDER BY joined_at DESC, connection_sid DESC) || E'\\r\\n' AS text, count(*)::int AS count,
             min(joined_at) AS "joinedAt", (array_agg(connection_sid ORDER BY joined_at, connection_sid))[1] AS "connectionSid"
        FROM (SELECT s.joined_at, s.connection_sid,
                     ${head} || ',' || csv_instant(s.joined_at) || ',' || csv_instant(s.left_at) || ',' || ${TAIL} AS line
                FROM sessions s ${isAllRooms ? 'JOIN room_meters m USING (sid)' : ''}
               WHERE s.organization_id = $1 AND s.uid = $2 AND s.joined_at >= $3 AND s.joined_at < $4
                 AND ($5::text IS NULL OR s.sid = $5)
                 AND ($7::timestamptz IS NULL OR (s.joined_at, s.connection_sid) < ($7, $8))
               ORDER BY s.joined_at DESC, s.connection_sid DESC LIMIT $9) AS chunk`;
    let after: Position | undefined;
    for (let written = 0; ; written += CHUNK) {
      const parameters: unknown[] = [
        filter.organizationId,
        filter.uid,
        filter.from,
        filter.to,
        filter.sid,
        filter.now,
        after?.joinedAt ?? null,
        after?.connectionSid ?? null,
        CHUNK,
      ];
      if (!isAllRooms) parameters.push(written);
      const [chunk] = await this.database.query<{ text: string | null; count: number } & Position>(sql, parameters);
      if (chunk?.text) yield chunk.text;
      if (!chunk || chunk.count < CHUNK) return;
      after = chunk;
    }
  }
}

function toSummary({ sessions, rooms, seconds }: Totals, scope: 'all rooms' | 'one room'): string {
  return (
    line('Summary') +
    (scope === 'all rooms' ? row('Total Rooms Attended', rooms) : '') +
    row('Total Sessions', sessions) +
    row('Total Time (minutes)', minutes(seconds)) +
    row('Total Credits Consumed', creditsOf(seconds)) +
    row('Average Session Duration (minutes)', minutes(sessions === 0 ? 0 : seconds / sessions))
  );
}
