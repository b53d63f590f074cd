import { Injectable } from '@nestjs/common';
import { Database } from '@classroom/persistence';

/** How far the ledger of one organization is proved: the sum of its entries up to `position`. Both are bigint as text. */
export interface Checkpoint {
  position: string;
  balance: string;
}

/** A bounded part of one ledger, with the account's balance at the same instant. */
export interface LedgerBatch extends Checkpoint {
  entries: number;
  /** Balance of the account less `balance`, in credits: 0 once the last entry is read. */
  difference: number;
  sids: string[];
}

export interface SettledRoom {
  sid: string;
  settledAt: Date;
}

/** Credits by which an account or a settled room differs; 0 where it adds up. */
export interface Finding {
  what: 'account' | 'room';
  id: string;
  credits: number;
}

const TAKEN = `CASE WHEN debit_account = 'customer' THEN credits ELSE -credits END`;

/** What the ledger audit reads and remembers. Each statement reads one account, one room or one page of ids. */
@Injectable()
export class AuditRepository {
  constructor(private readonly database: Database) {}

  /** Takes or keeps the right to audit: one process a database. False where another process holds it. */
  async hold(holder: string, now: Date, until: Date): Promise<boolean> {
    const rows = await this.database.query(
      'UPDATE ledger_audit SET holder = $1, held_until = $3 WHERE holder = $1 OR held_until < $2 RETURNING 1 AS held',
      [holder, now, until],
    );
    return rows.length === 1;
  }

  async completed(at: Date): Promise<void> {
    await this.database.query('UPDATE ledger_audit SET completed_at = $1', [at]);
  }

  async completedAt(): Promise<Date> {
    const [row] = await this.database.query<{ completedAt: Date }>('SELECT completed_at AS "completedAt" FROM ledger_audit');
    if (!row) throw new Error('ledger_audit has no row');
    return row.completedAt;
  }

  accounts(after: string, limit: number): Promise<{ organizationId: string; accountId: string }[]> {
    return this.database.query(
      `SELECT organization_id AS "organizationId", account_id AS "accountId" FROM accounts WHERE organization_id > $1 ORDER BY organization_id LIMIT $2`,
      [after, limit],
    );
  }

  /**
   * Entries after the checkpoint, at most `limit`, and the balance that they add up to. Entries are written with the account locked,
   * so those of one organization become visible in the order of their positions. One statement: one snapshot.
   */
  async batch(organizationId: string, limit: number): Promise<LedgerBatch | undefined> {
    const [row] = await this.database.query<LedgerBatch & Record<string, unknown>>(
      `SELECT n.entries, n.position, n.balance::text AS balance, n.sids, (a.balance - n.balance)::float8 AS difference
         FROM accounts a
         LEFT JOIN ledger_checkpoints c USING (organization_id)
         CROSS JOIN LATERAL (
           SELECT count(*)::int AS entries, coalesce(max(newer.position), c.position, 0) AS position,
                  coalesce(c.balance, 0) - coalesce(sum(taken), 0) AS balance,
                  coalesce(array_agg(DISTINCT sid) FILTER (WHERE sid IS NOT NULL), '{}') AS sids
             FROM (SELECT position, sid, ${TAKEN} AS taken FROM ledger_entries
                    WHERE organization_id = $1 AND position > coalesce(c.position, 0) ORDER BY position LIMIT $2) newer) n
        WHERE a.organization_id = $1`,
      [organizationId, limit],
    );
    return row;
  }

  async saveCheckpoint(organizationId: string, { position, balance }: Checkpoint): Promise<void> {
    await this.database.query(
      `INSERT INTO ledger_checkpoints (organization_id, position, balance) VALUES ($1, $2, $3)
       ON CONFLICT (organization_id) DO UPDATE SET position = excluded.position, balance = excluded.balance`,
      [organizationId, position, balance],
    );
  }

  /** Of these rooms the ones that are charged to the end and not due for a correction. */
  async settled(sids: readonly string[]): Promise<string[]> {
    const rows = await this.database.query<{ sid: string }>(
      'SELECT sid FROM room_meters WHERE sid = ANY($1) AND settled_at IS NOT NULL AND due_at IS NULL',
      [sids],
    );
    return rows.map(({ sid }) => sid);
  }

  /** Rooms settled after those already proved and before `before`, in the order in which they were settled. */
  settledSince(before: Date, limit: number): Promise<SettledRoom[]> {
    return this.database.query<SettledRoom & Record<string, unknown>>(
      `SELECT m.sid, m.settled_at AS "settledAt" FROM room_meters m, ledger_audit a
        WHERE (m.settled_at, m.sid) > (a.settled_at, a.sid) AND m.settled_at < $1 ORDER BY m.settled_at, m.sid LIMIT $2`,
      [before, limit],
    );
  }

  async provedSettled({ sid, settledAt }: SettledRoom): Promise<void> {
    await this.database.query('UPDATE ledger_audit SET settled_at = $1, sid = $2', [settledAt, sid]);
  }

  /** Credits by which a settled room's sessions, meter and entries differ. A room that is due again differs in nothing yet. */
  async roomDifference(sid: string): Promise<number> {
    const [row] = await this.database.query<{ difference: number }>(
      `SELECT (abs(s.credits - m.charged_credits) + abs(e.credits - m.charged_credits))::float8 AS difference
         FROM room_meters m
         CROSS JOIN LATERAL (SELECT ceil(coalesce(sum(extract(epoch FROM left_at - joined_at)), 0) / 60) AS credits
                               FROM sessions WHERE sessions.sid = m.sid) s
         CROSS JOIN LATERAL (SELECT coalesce(sum(${TAKEN}), 0) AS credits FROM ledger_entries WHERE ledger_entries.sid = m.sid) e
        WHERE m.sid = $1 AND m.settled_at IS NOT NULL AND m.due_at IS NULL`,
      [sid],
    );
    return row?.difference ?? 0;
  }

  async forget({ what, id }: Omit<Finding, 'credits'>): Promise<void> {
    await this.database.query('DELETE FROM ledger_differences WHERE what = $1 AND id = $2', [what, id]);
  }

  async record({ what, id, credits }: Finding, at: Date): Promise<void> {
    await this.database.query(
      `INSERT INTO ledger_differences (what, id, credits, found_at) VALUES ($1, $2, $3, $4)
       ON CONFLICT (what, id) DO UPDATE SET credits = excluded.credits`,
      [what, id, credits, at],
    );
  }

  /** So that each round tries again what could not be read. */
  async remember({ what, id }: Omit<Finding, 'credits'>, at: Date): Promise<void> {
    await this.database.query('INSERT INTO ledger_differences (what, id, credits, found_at) VALUES ($1, $2, 0, $3) ON CONFLICT DO NOTHING', [what, id, at]);
  }

  differences(): Promise<Finding[]> {
    return this.database.query<Finding & Record<string, unknown>>('SELECT what, id, credits FROM ledger_differences ORDER BY what, id LIMIT 1000');
  }
}
