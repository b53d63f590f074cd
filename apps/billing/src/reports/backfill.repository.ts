import { Injectable } from '@nestjs/common';
import { Database } from '@classroom/persistence';
import { sql } from '../schema/sql.js';
import type { ClickhouseSession } from './clickhouse-rows.js';

const ROWS_PER_CHUNK = 10_000;

const dateTime = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.US')`;

const ROW = `organization_id, uid, connection_sid, sid, name, role, ip, ${dateTime('joined_at')} AS "joined_at!", ${dateTime('left_at')} AS left_at, version`;

const readSessionsOf = sql('backfill.readSessionsOf', `SELECT ${ROW} FROM sessions_by_month WHERE sid = ANY($1)`);

const readSessions = sql(
  'backfill.readSessions',
  `SELECT ${ROW} FROM sessions_by_month WHERE connection_sid > $1 ORDER BY connection_sid LIMIT ${ROWS_PER_CHUNK}`,
);

@Injectable()
export class BackfillRepository {
  constructor(private readonly database: Database) {}

  /** The next sessions after a connection sid, as rows of ClickHouse. */
  readSessions(after: string): Promise<ClickhouseSession[]> {
    return this.database.run(readSessions, after);
  }

  /** All sessions of classes, as rows of ClickHouse. */
  readSessionsOf(sids: readonly string[]): Promise<ClickhouseSession[]> {
    return this.database.run(readSessionsOf, sids);
  }
}
