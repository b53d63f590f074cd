import { Injectable } from '@nestjs/common';
import { Database, type RowOf } from '@classroom/persistence';
import { MoreThan } from 'typeorm';
import { TAKEN } from '../ledger/ledger-entry.js';
import { monthsOf } from '../metering/sessions.repository.js';
import { AccountEntity } from '../schema/account.entity.js';
import { LedgerAuditEntity } from '../schema/ledger-audit.entity.js';
import type { LedgerCheckpointEntity } from '../schema/ledger-checkpoint.entity.js';
import { LedgerDifferenceEntity } from '../schema/ledger-difference.entity.js';
import { sql } from '../schema/sql.js';

/** Credits by which an account or a settled room differs; 0 if it is consistent. */
export type Finding = Omit<LedgerDifferenceEntity, 'foundAt'>;

const ROW = { isOnly: true };
const MAX_REPORTED = 1_000;

const acquireLease = sql(
  'audit.acquireLease',
  'UPDATE ledger_audit SET holder = $1, held_until = $3 WHERE holder = $1 OR held_until < $2 RETURNING 1 AS held',
);

/** `difference`: the account's balance minus `balance`, in credits. It is 0 once the last entry has been read, if the ledger is consistent. */
const readBatch = sql.planned(
  'audit.readBatch',
  `SELECT n.entries AS "entries!", n.position AS "position!", n.balance::int8 AS "balance!", n.sids AS "sids!",
          (a.balance - n.balance)::float8 AS "difference!"
     FROM accounts a
     LEFT JOIN ledger_checkpoints c USING (organization_id)
     CROSS JOIN LATERAL (
       SELECT count(*) AS entries, coalesce(max(newer.position), c.position, 0) AS position,
              coalesce(c.balance, 0) - coalesce(sum(taken), 0) AS balance,
              coalesce(array_agg(DISTINCT sid) FILTER (WHERE sid IS NOT NULL), '{}') AS sids
         FROM (SELECT position, sid, ${TAKEN} AS taken FROM ledger_entries
                WHERE organization_id = $1 AND position > coalesce(c.position, 0) ORDER BY position LIMIT $2) newer) n
    WHERE a.organization_id = $1`,
);

const saveCheckpoint = sql(
  'audit.saveCheckpoint',
  `INSERT INTO ledger_checkpoints (organization_id, position, balance) VALUES ($1, $2, $3)
   ON CONFLICT (organization_id) DO UPDATE SET position = excluded.position, balance = excluded.balance`,
);

const filterSettled = sql(
  'audit.filterSettled',
  'SELECT sid FROM room_meters WHERE sid = ANY($1) AND settled_at IS NOT NULL AND due_at IS NULL',
);

const listSettledSince = sql.planned(
  'audit.listSettledSince',
  `SELECT m.sid, m.settled_at AS "settledAt!" FROM room_meters m, ledger_audit a
    WHERE (m.settled_at, m.sid) > (a.settled_at, a.sid) AND m.settled_at < $1 ORDER BY m.settled_at, m.sid LIMIT $2`,
);

const findUnsettledSince = sql.planned(
  'audit.findUnsettledSince',
  'SELECT min(finished_at) AS since FROM room_meters WHERE finished_at IS NOT NULL AND settled_at IS NULL',
);

/** The sessions of an erased organization are deleted: its classes have no title and are named by their sid. */
const roomDifference = sql(
  'audit.roomDifference',
  `SELECT (abs(s.credits - m.charged_credits) + abs(e.credits - m.charged_credits))::float8 AS "difference!"
     FROM room_meters m
     CROSS JOIN LATERAL (SELECT ceil(coalesce(sum(extract(epoch FROM left_at - joined_at)), 0) / 60) AS credits
                           FROM sessions_by_month WHERE sessions_by_month.sid = m.sid AND ${monthsOf('m')}) s
     CROSS JOIN LATERAL (SELECT coalesce(sum(${TAKEN}), 0) AS credits FROM ledger_entries l
                          WHERE l.organization_id = m.organization_id AND l.sid = m.sid) e
    WHERE m.sid = $1 AND m.settled_at IS NOT NULL AND m.due_at IS NULL AND NOT (m.room_id = m.sid AND m.title = 'Erased')`,
);

const saveDifference = sql(
  'audit.saveDifference',
  `INSERT INTO ledger_differences (what, id, credits, found_at) VALUES ($1, $2, $3, $4)
   ON CONFLICT (what, id) DO UPDATE SET credits = excluded.credits`,
);

const saveUnreadable = sql(
  'audit.saveUnreadable',
  'INSERT INTO ledger_differences (what, id, credits, found_at) VALUES ($1, $2, 0, $3) ON CONFLICT DO NOTHING',
);

type SettledRoom = RowOf<typeof listSettledSince>;

/** What the ledger audit reads and stores. Each statement reads one account, one room or one page of ids. */
@Injectable()
export class AuditRepository {
  constructor(private readonly database: Database) {}

  /** Takes or renews the right to audit, which one process per database holds. False if another process holds it. */
  async acquireLease(holder: string, now: Date, until: Date): Promise<boolean> {
    return (await this.database.run(acquireLease, holder, now, until)).length === 1;
  }

  async markCompleted(at: Date): Promise<void> {
    await this.database.manager.update(LedgerAuditEntity, ROW, { completedAt: at });
  }

  async findCompletedAt(): Promise<Date> {
    const select = { isOnly: true, completedAt: true } as const;
    const row = await this.database.manager.findOne(LedgerAuditEntity, { select, where: ROW });
    if (!row) throw new Error('ledger_audit has no row');
    return row.completedAt;
  }

  listAccounts(after: string, limit: number): Promise<Pick<AccountEntity, 'organizationId' | 'accountId'>[]> {
    return this.database.manager.find(AccountEntity, {
      select: { organizationId: true, accountId: true },
      where: { organizationId: MoreThan(after) },
      order: { organizationId: 'ASC' },
      take: limit,
    });
  }

  /**
   * Reads at most `limit` entries after the checkpoint, and the balance they add up to. Entries are written while the balance is locked, so
   * an organization's entries become visible in the order of their positions. It is one statement, so it reads one snapshot.
   */
  async readBatch(organizationId: string, limit: number): Promise<RowOf<typeof readBatch> | undefined> {
    return this.database.first(readBatch, organizationId, limit);
  }

  async saveCheckpoint(organizationId: string, { position, balance }: Omit<LedgerCheckpointEntity, 'organizationId'>): Promise<void> {
    await this.database.run(saveCheckpoint, organizationId, position, balance);
  }

  /** Those of the rooms that are settled and not due for a correction. */
  async filterSettled(sids: readonly string[]): Promise<string[]> {
    return (await this.database.run(filterSettled, sids)).map(({ sid }) => sid);
  }

  /** Rooms settled after the last audited one and before `before`, in the order in which they were settled. */
  listSettledSince(before: Date, limit: number): Promise<SettledRoom[]> {
    return this.database.run(listSettledSince, before, limit);
  }

  async recordAuditedRoom({ sid, settledAt }: SettledRoom): Promise<void> {
    await this.database.manager.update(LedgerAuditEntity, ROW, { settledAt, sid });
  }

  /** When the oldest of the finished rooms finished that are not settled. */
  async findUnsettledSince(): Promise<Date | undefined> {
    const row = await this.database.first(findUnsettledSince);
    return row?.since ?? undefined;
  }

  /** Credits by which a settled room's sessions, meter and entries differ; 0 for a room that is due again. */
  async roomDifference(sid: string): Promise<number> {
    const row = await this.database.first(roomDifference, sid);
    return row?.difference ?? 0;
  }

  async deleteDifference({ what, id }: Omit<Finding, 'credits'>): Promise<void> {
    await this.database.manager.delete(LedgerDifferenceEntity, { what, id });
  }

  async saveDifference({ what, id, credits }: Finding, at: Date): Promise<void> {
    await this.database.run(saveDifference, what, id, credits, at);
  }

  /** Records an account or room that could not be read, so that each round tries it again. */
  async saveUnreadable({ what, id }: Omit<Finding, 'credits'>, at: Date): Promise<void> {
    await this.database.run(saveUnreadable, what, id, at);
  }

  listDifferences(): Promise<Finding[]> {
    return this.database.manager.find(LedgerDifferenceEntity, {
      select: { what: true, id: true, credits: true },
      order: { what: 'ASC', id: 'ASC' },
      take: MAX_REPORTED,
    });
  }
}
