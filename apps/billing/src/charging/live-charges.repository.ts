import { Injectable } from '@nestjs/common';
import { SECONDS_PER_CREDIT } from '@classroom/contracts';
import type { Transaction } from '@classroom/persistence';
import { monthsOf } from '../metering/session-partitions.js';
import { sql } from '../schema/sql.js';

// The balances are locked only for the insert: after the readings and the meters, because the condition on `meters` is computed first.
const post = sql(
  'live-charges.post',
  `WITH reading AS (
     SELECT m.sid, m.organization_id, m.room_id, m.charged_credits, m.sequence, m.folded_version, s.open,
            coalesce(m.ended_at, m.verified_at) AS charged_through, (m.closed_seconds + s.seconds)::int8 AS seconds
       FROM room_meters m
       CROSS JOIN LATERAL (
         SELECT count(*) AS open,
                coalesce(sum(greatest(0, floor(extract(epoch FROM coalesce(to_timestamp((m.unseen->>connection_sid)::int8),
                  CASE WHEN behind = m.verified_at THEN joined_at END, m.verified_at, joined_at))) - extract(epoch FROM joined_at))), 0) AS seconds
           FROM sessions_by_month WHERE sid = m.sid AND ${monthsOf('m')} AND month <= session_month($2::timestamptz + interval '1 day') AND left_at IS NULL) s
      WHERE m.sid = ANY($1)),
   charge AS MATERIALIZED (
     SELECT *, (seconds + ${SECONDS_PER_CREDIT - 1}) / ${SECONDS_PER_CREDIT} - charged_credits AS owed, gen_random_uuid() AS entry_id FROM reading),
   meters AS (
     UPDATE room_meters m
        SET charged_credits = m.charged_credits + c.owed, sequence = m.sequence + (c.owed > 0)::int,
            last_entry_id = CASE WHEN c.owed > 0 THEN c.entry_id ELSE m.last_entry_id END,
            due_at = CASE WHEN c.open > 0 THEN $3::timestamptz END
       FROM charge c WHERE m.sid = c.sid AND c.owed >= 0 RETURNING m.sid),
   locked AS MATERIALIZED (
     SELECT organization_id, credit_rate, currency, cycle_start FROM accounts
      WHERE account_id = ANY($4::uuid[]) AND (SELECT count(*) FROM meters) >= 0 ORDER BY account_id FOR NO KEY UPDATE),
   entries AS (
     INSERT INTO ledger_entries (entry_id, organization_id, kind, debit_account, credit_account, credits, credit_rate, currency, cycle_start,
                                 recorded_at, sid, room_id, meter_sequence, meter_version, total_seconds, charged_through)
     SELECT c.entry_id, c.organization_id, 'CHARGE', 'customer', 'usage', c.owed, a.credit_rate, a.currency, a.cycle_start,
            $2::timestamptz, c.sid, c.room_id, c.sequence + 1, c.folded_version, c.seconds, c.charged_through
       FROM charge c JOIN locked a USING (organization_id) WHERE c.owed > 0)
   SELECT organization_id AS "organizationId!", coalesce(sum(owed) FILTER (WHERE owed > 0), 0)::float8 AS "credits!",
          coalesce(array_agg(sid) FILTER (WHERE owed < 0), '{}') AS "overcharged!"
     FROM charge GROUP BY organization_id`,
);

/**
 * The rule of charge.ts in SQL, for the most frequent case: a room is live, and it owes nothing or more than it was charged. Its readings do
 * not leave the database. A test holds both against each other.
 */
@Injectable()
export class LiveChargesRepository {
  /**
   * Posts what live rooms owe, and when their meters are due next: at `dueAt`, or with the next join if a room is empty. The meters and the
   * accounts' plans must be locked by `tx`. Before it inserts entries, it locks the balances, which the caller updates.
   * @returns the posted credits by organization, and the rooms that were charged too much, which are left as they were
   */
  async post(
    tx: Transaction,
    accountIds: readonly string[],
    sids: readonly string[],
    recordedAt: Date,
    dueAt: Date,
  ): Promise<{ credits: ReadonlyMap<string, number>; overcharged: ReadonlySet<string> }> {
    if (sids.length === 0) return { credits: new Map(), overcharged: new Set() };
    const rows = await tx.run(post, sids, recordedAt, dueAt, accountIds);
    return {
      credits: new Map(rows.map(({ organizationId, credits }) => [organizationId, credits])),
      overcharged: new Set(rows.flatMap(({ overcharged }) => overcharged)),
    };
  }
}
