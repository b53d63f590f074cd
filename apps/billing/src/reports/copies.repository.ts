import { Inject, Injectable } from '@nestjs/common';
import { arraysOf, columnsOf, Database, type Transaction } from '@classroom/persistence';
import { CONFIG } from '@classroom/platform';
import type { BillingConfig } from '../config.js';
import { sql } from '../schema/sql.js';
import { StaleCopyEntity } from '../schema/stale-copy.entity.js';
import type { ClickhouseSession } from './clickhouse.js';

const add = sql(
  'stale-copies.add',
  `INSERT INTO stale_copies (organization_id, sid) SELECT $1::text, sid FROM unnest($2::text[]) AS t(sid) ORDER BY sid
   ON CONFLICT (organization_id, sid) DO UPDATE SET mark = DEFAULT`,
);

const oldest = sql('stale-copies.oldest', `SELECT ${columnsOf(StaleCopyEntity)} FROM stale_copies ORDER BY organization_id, sid LIMIT $1`);

/** A copy that was marked again in the meantime stays. */
const remove = sql(
  'stale-copies.remove',
  `DELETE FROM stale_copies s USING unnest($1::text[], $2::text[], $3::int8[]) AS done(organization_id, sid, mark)
    WHERE s.organization_id = done.organization_id AND s.sid = done.sid AND s.mark = done.mark`,
);

const hasAny = sql.planned('stale-copies.hasAny', 'SELECT 1 FROM stale_copies WHERE organization_id = $1 LIMIT 1');

/** The copies in ClickHouse that have to be replaced. Without ClickHouse there are none. */
@Injectable()
export class StaleCopiesRepository {
  /** Whether sessions are copied to ClickHouse. */
  readonly isCopied: boolean;

  constructor(
    private readonly database: Database,
    @Inject(CONFIG) { REPORTS_CLICKHOUSE_URL: url }: BillingConfig,
  ) {
    this.isCopied = url !== undefined;
  }

  /** @param sids an empty one stands for all classes of the organization */
  async add(tx: Transaction, organizationId: string, sids: readonly string[]): Promise<void> {
    if (this.isCopied && sids.length > 0) await tx.run(add, organizationId, sids);
  }

  async hasAny(tx: Transaction, organizationId: string): Promise<boolean> {
    return (await tx.run(hasAny, organizationId)).length > 0;
  }

  find(limit: number): Promise<StaleCopyEntity[]> {
    return this.database.run(oldest, limit);
  }

  async remove(copies: readonly StaleCopyEntity[]): Promise<void> {
    await this.database.run(remove, ...arraysOf(copies, 'organizationId', 'sid', 'mark'));
  }
}

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
