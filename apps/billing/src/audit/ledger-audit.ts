import { Injectable } from '@nestjs/common';
import { Database } from '@classroom/persistence';
import { Background, logger, Loop, observedGauge } from '@classroom/platform';

const EVERY_MS = 60_000;
const BATCH = 200;

interface Difference {
  what: string;
  id: string;
  difference: number;
}

/**
 * Proves, a batch at a time and round and round, that sessions = charges = ledger = balance. The difference is a metric
 * that is always 0; where it is not, a line names the account or room.
 */
@Injectable()
export class LedgerAudit {
  private imbalance = 0;
  private lastAccount = '';
  private lastRoom = '';

  constructor(
    background: Background,
    private readonly database: Database,
  ) {
    background.add(new Loop('ledger-audit', EVERY_MS, async () => void (await this.run())));
    observedGauge('classroom_billing_imbalance_credits', 'Credits by which sessions, charges, ledger and balances differ; always 0', () => [
      { value: this.imbalance },
    ]);
  }

  async run(): Promise<Difference[]> {
    const found = [...(await this.accounts()), ...(await this.rooms())];
    this.imbalance = found.reduce((sum, { difference }) => sum + Math.abs(difference), 0);
    for (const difference of found) logger.error(difference, 'the ledger does not add up');
    return found;
  }

  private async accounts(): Promise<Difference[]> {
    const rows = await this.database.query<{ id: string; organizationId: string; difference: number }>(
      `SELECT a.account_id AS id, a.organization_id AS "organizationId",
              (a.balance - coalesce((SELECT sum(CASE WHEN credit_account = 'customer' THEN credits ELSE -credits END)
                                       FROM ledger_entries e WHERE e.organization_id = a.organization_id), 0))::float8 AS difference
         FROM accounts a WHERE a.organization_id > $1 ORDER BY a.organization_id LIMIT ${BATCH}`,
      [this.lastAccount],
    );
    this.lastAccount = rows.length === BATCH ? (rows.at(-1)?.organizationId ?? '') : '';
    return rows.filter(({ difference }) => difference !== 0).map(({ id, difference }) => ({ what: 'account', id, difference }));
  }

  /** Settled rooms: what their sessions come to, what their meter says, what their entries took. */
  private async rooms(): Promise<Difference[]> {
    const rows = await this.database.query<{ id: string; difference: number }>(
      `SELECT m.sid AS id, (abs(s.credits - m.charged_credits) + abs(e.credits - m.charged_credits))::float8 AS difference
         FROM room_meters m
         CROSS JOIN LATERAL (SELECT ceil(coalesce(sum(extract(epoch FROM left_at - joined_at)), 0) / 60) AS credits
                               FROM sessions WHERE sessions.sid = m.sid) s
         CROSS JOIN LATERAL (SELECT coalesce(sum(CASE WHEN debit_account = 'customer' THEN credits ELSE -credits END), 0) AS credits
                               FROM ledger_entries WHERE ledger_entries.sid = m.sid) e
        WHERE m.sid > $1 AND m.settled_at IS NOT NULL AND m.due_at IS NULL ORDER BY m.sid LIMIT ${BATCH}`,
      [this.lastRoom],
    );
    this.lastRoom = rows.length === BATCH ? (rows.at(-1)?.id ?? '') : '';
    return rows.filter(({ difference }) => difference !== 0).map(({ id, difference }) => ({ what: 'room', id, difference }));
  }
}
