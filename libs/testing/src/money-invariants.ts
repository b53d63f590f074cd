import { ApiClient } from './api.js';
import { eventually } from './eventually.js';
import { deadLetters, unhandled } from './facts.js';
import type { RunningStack } from './running-stack.js';

/** How long work in progress may take: redelivery after 15 s, a job whose worker was killed after twice 30 s. */
const SETTLE_MS = 120_000;

interface Rule {
  name: string;
  /** Returns the rows that break the rule. */
  sql: string;
}

/** The sessions of an erased organization are deleted: its classes have no title and are named by their sid. */
const WITH_SESSIONS = `NOT (m.room_id = m.sid AND m.title = 'Erased')`;
const TAKEN = `CASE WHEN debit_account = 'customer' THEN credits ELSE -credits END`;

/** True for every committed state of the schema `billing`, at any time. */
const ALWAYS: readonly Rule[] = [
  {
    name: 'a balance is not the sum of its ledger',
    sql: `SELECT a.account_id, a.balance, e.sum FROM billing.accounts a
            CROSS JOIN LATERAL (SELECT coalesce(-sum(${TAKEN}), 0) AS sum FROM billing.ledger_entries WHERE organization_id = a.organization_id) e
           WHERE a.balance <> e.sum`,
  },
  {
    name: 'an open cycle is not the sum of its entries',
    sql: `SELECT a.account_id, a.cycle_start, a.cycle_credits, e.sum FROM billing.accounts a
            CROSS JOIN LATERAL (SELECT coalesce(-sum(${TAKEN}), 0) AS sum FROM billing.ledger_entries
                                 WHERE organization_id = a.organization_id AND cycle_start = a.cycle_start) e
           WHERE a.billing_type = 'POSTPAID' AND a.cycle_credits <> e.sum`,
  },
  {
    name: 'a closed statement is not the sum of its cycle’s entries',
    sql: `SELECT s.statement_id, s.cycle_start, s.credits, e.sum FROM billing.statements s
            CROSS JOIN LATERAL (SELECT coalesce(sum(${TAKEN}), 0) AS sum FROM billing.ledger_entries
                                 WHERE organization_id = s.organization_id AND cycle_start = s.cycle_start) e
           WHERE s.credits <> e.sum`,
  },
  {
    name: 'an entry’s cycle has no statement and is neither the open one nor the next',
    sql: `SELECT e.entry_id, e.kind, e.cycle_start FROM billing.ledger_entries e JOIN billing.accounts a USING (organization_id)
           WHERE e.cycle_start IS NOT NULL AND a.cycle_start IS DISTINCT FROM e.cycle_start AND a.cycle_end IS DISTINCT FROM e.cycle_start
             AND NOT EXISTS (SELECT 1 FROM billing.statements s WHERE s.organization_id = e.organization_id AND s.cycle_start = e.cycle_start)`,
  },
  {
    name: 'a cycle overlaps the one before it, or leaves a gap that no prepaid plan fills',
    sql: `SELECT c.* FROM (SELECT organization_id, lag(cycle_end) OVER (PARTITION BY organization_id ORDER BY cycle_start) AS before, cycle_start
                             FROM (SELECT organization_id, cycle_start, cycle_end FROM billing.statements
                                   UNION ALL SELECT organization_id, cycle_start, cycle_end FROM billing.accounts WHERE cycle_start IS NOT NULL) all_cycles) c
           WHERE c.cycle_start < c.before
              OR (c.cycle_start > c.before AND 'PREPAID' IS DISTINCT FROM
                  (SELECT billing_type FROM billing.plans p WHERE p.organization_id = c.organization_id AND p.updated_at <= c.before ORDER BY p.updated_at DESC LIMIT 1))`,
  },
  {
    name: 'a prepaid account has an open cycle',
    sql: `SELECT account_id, cycle_start, cycle_credits FROM billing.accounts WHERE billing_type = 'PREPAID' AND (cycle_start IS NOT NULL OR cycle_credits <> 0)`,
  },
  {
    name: 'a meter’s sequence has a gap or a duplicate, or differs from the ledger’s',
    sql: `SELECT m.sid, m.sequence, m.charged_credits, e.* FROM billing.room_meters m
            CROSS JOIN LATERAL (SELECT count(*) AS entries, count(DISTINCT meter_sequence) AS sequences, coalesce(min(meter_sequence), 1) AS first,
                                       coalesce(max(meter_sequence), 0) AS last, coalesce(sum(${TAKEN}), 0) AS taken
                                  FROM billing.ledger_entries WHERE sid = m.sid) e
           WHERE e.entries <> m.sequence OR e.sequences <> e.entries OR e.first <> 1 OR e.last <> m.sequence OR e.taken <> m.charged_credits`,
  },
  {
    name: 'a meter does not name its last entry',
    sql: `SELECT m.sid, m.sequence, m.last_entry_id FROM billing.room_meters m
            LEFT JOIN billing.ledger_entries e ON e.entry_id = m.last_entry_id
           WHERE m.sequence > 0 AND (e.sid IS DISTINCT FROM m.sid OR e.meter_sequence IS DISTINCT FROM m.sequence)`,
  },
  {
    name: 'an entry gives back without naming the entry it corrects, or names one that is not an earlier one of its room',
    sql: `SELECT e.entry_id, e.sid, e.kind, e.corrects_entry_id FROM billing.ledger_entries e
            LEFT JOIN billing.ledger_entries c ON c.entry_id = e.corrects_entry_id
           WHERE e.sid IS NOT NULL
             AND ((e.kind = 'ADJUSTMENT') <> (e.corrects_entry_id IS NOT NULL)
                  OR (e.kind = 'CHARGE' AND e.credit_account = 'customer')
                  OR (e.corrects_entry_id IS NOT NULL AND (c.sid IS DISTINCT FROM e.sid OR c.meter_sequence >= e.meter_sequence)))`,
  },
  { name: 'a room has a negative charge', sql: 'SELECT sid, charged_credits FROM billing.room_meters WHERE charged_credits < 0' },
  {
    name: 'an organization’s AI meter is not its entries, or not its use rounded up once',
    sql: `SELECT m.organization_id IS NOT NULL AS has_meter, m.used, m.charged_credits, m.sequence, e.* FROM billing.ai_meters m
            FULL JOIN (SELECT organization_id, count(*) AS entries, max(ai_sequence) AS last, sum(${TAKEN}) AS taken
                         FROM billing.ledger_entries WHERE kind = 'AI_USAGE' GROUP BY 1) e USING (organization_id)
           WHERE m.charged_credits IS DISTINCT FROM coalesce(e.taken, 0) OR m.charged_credits <> ceil(m.used)
              OR m.sequence <> coalesce(e.entries, 0) OR m.sequence <> coalesce(e.last, 0)`,
  },
  {
    name: 'a meter’s sums are not its sessions’',
    sql: `SELECT m.sid, m.connections, m.version_sum, m.closed_seconds, s.* FROM billing.room_meters m
            CROSS JOIN LATERAL (SELECT count(*) AS sessions, coalesce(sum(version), 0) AS versions,
                                       coalesce(sum(extract(epoch FROM left_at - joined_at)), 0) AS seconds FROM billing.sessions_by_month WHERE sid = m.sid) s
           WHERE ${WITH_SESSIONS} AND m.connections IS NOT NULL AND (m.connections, m.version_sum, m.closed_seconds) IS DISTINCT FROM (s.sessions, s.versions, s.seconds)`,
  },
  { name: 'a session ends before it began', sql: 'SELECT * FROM billing.sessions_by_month WHERE left_at < joined_at' },
  {
    name: 'a session has no meter',
    sql: 'SELECT connection_sid, sid FROM billing.sessions_by_month s WHERE NOT EXISTS (SELECT 1 FROM billing.room_meters m WHERE m.sid = s.sid)',
  },
  {
    name: 'a settled room’s charge differs from the sum of its sessions',
    sql: `SELECT m.sid, m.charged_credits, s.* FROM billing.room_meters m
            CROSS JOIN LATERAL (SELECT count(*) FILTER (WHERE left_at IS NULL) AS open,
                                       coalesce(sum(extract(epoch FROM left_at - joined_at)), 0) AS seconds FROM billing.sessions_by_month WHERE sid = m.sid) s
           WHERE ${WITH_SESSIONS} AND m.settled_at IS NOT NULL AND m.due_at IS NULL AND (s.open > 0 OR ceil(s.seconds / 60) <> m.charged_credits)`,
  },
];

/** An erased person has another pseudonym in each schema. */
const uidOf = (table: string) => `regexp_replace(${table}.uid, '^erased#.*', 'erased')`;

/** True when no work is in progress. */
const SETTLED: readonly Rule[] = [
  {
    name: 'a finished room is not settled',
    sql: `SELECT r.sid, r.version, m.* FROM room.rooms r LEFT JOIN billing.room_meters m USING (sid)
           WHERE r.state = 'finished' AND r.started_at IS NOT NULL AND (m.settled_at IS NULL OR m.due_at IS NOT NULL)`,
  },
  {
    name: 'a meter is due and no process charges it',
    sql: `SELECT sid, due_at, finished_at, settled_at FROM billing.room_meters WHERE due_at < now() - interval '5 seconds'`,
  },
  {
    name: 'a meter has open sessions and no next charge',
    sql: `SELECT sid FROM billing.room_meters m WHERE due_at IS NULL AND EXISTS (SELECT 1 FROM billing.sessions_by_month WHERE sid = m.sid AND left_at IS NULL)`,
  },
  {
    name: 'sessions are not the counted connections one to one',
    sql: `SELECT coalesce(s.connection_sid, c.connection_sid) AS connection_sid, s.sid, c.sid AS room_sid, s.joined_at, c.joined_at AS room_joined_at,
                 s.left_at, c.left_at AS room_left_at, s.version, c.version AS room_version,
                 s.uid, c.uid AS room_uid, s.opened_by, c.opened_by AS room_opened_by, s.closed_by, c.closed_by AS room_closed_by
            FROM billing.sessions_by_month s FULL JOIN (SELECT * FROM room.connections_by_month WHERE is_counted) c USING (connection_sid)
           WHERE (s.sid, ${uidOf('s')}, s.joined_at, s.left_at, s.opened_by, s.closed_by, s.version)
                 IS DISTINCT FROM (c.sid, ${uidOf('c')}, c.joined_at, c.left_at, c.opened_by, c.closed_by, c.version) LIMIT 20`,
  },
  {
    name: 'a finished room’s entries are not its sessions’ whole seconds, rounded up once',
    sql: `SELECT r.sid, c.seconds, e.taken FROM room.rooms r
            CROSS JOIN LATERAL (SELECT coalesce(sum(extract(epoch FROM left_at - joined_at)), 0) AS seconds FROM room.connections_by_month WHERE sid = r.sid AND is_counted) c
            CROSS JOIN LATERAL (SELECT coalesce(sum(${TAKEN}), 0) AS taken FROM billing.ledger_entries WHERE sid = r.sid) e
           WHERE r.state = 'finished' AND e.taken <> ceil(c.seconds / 60)`,
  },
  { name: 'the room’s outbox is not drained', sql: 'SELECT id, subject FROM room.outbox WHERE published_at IS NULL LIMIT 5' },
  { name: 'billing’s outbox is not drained', sql: 'SELECT id, subject FROM billing.outbox WHERE published_at IS NULL LIMIT 5' },
];

interface FinishedRoom {
  organizationId: string;
  roomId: string;
  taken: number;
}

/**
 * Every minute of a stack was billed exactly once, whatever failed before: ledger = balance = sessions = connections = the API's
 * answers. Waits until work in progress has settled.
 * @throws Error that names each broken rule with its rows
 */
export async function expectMoneyInvariants(stack: RunningStack, settleMs = SETTLE_MS): Promise<void> {
  await expectLedgerInvariants(stack);
  await eventually(async () => fail([...(await broken(stack, SETTLED)), ...(await inProgress(stack))]), settleMs);
  await expectLedgerInvariants(stack);
  fail(await differencesFromApi(stack));
}

/** The rules that are true at any time and need only billing's schema. */
export async function expectLedgerInvariants(stack: RunningStack): Promise<void> {
  fail(await broken(stack, ALWAYS));
}

function fail(violations: string[]): void {
  if (violations.length > 0) throw new Error(`broken invariants:\n${violations.join('\n')}`);
}

async function broken(stack: RunningStack, rules: readonly Rule[]): Promise<string[]> {
  const found: string[] = [];
  for (const { name, sql } of rules) {
    const rows = await stack.rows(sql);
    if (rows.length > 0) found.push(`${name}: ${JSON.stringify(rows)}`);
  }
  return found;
}

async function inProgress(stack: RunningStack): Promise<string[]> {
  const [webhooks, facts, dead] = await Promise.all([
    unhandled(stack, 'roomPresence'),
    unhandled(stack, 'billingFold'),
    deadLetters(stack),
  ]);
  return [
    ...(webhooks > 0 ? [`${webhooks} webhooks wait`] : []),
    ...(facts > 0 ? [`${facts} facts are not folded`] : []),
    ...(dead > 0 ? [`${dead} messages were set aside`] : []),
  ];
}

/** A client for each organization, with a credential for these comparisons: only hashes of the others are known. */
async function backendsOf(stack: RunningStack): Promise<Map<string, ApiClient>> {
  const made = await stack.rows<{ organizationId: string; value: string }>(
    `WITH made AS (SELECT organization_id, 'compare_' || left(encode(sha256(convert_to(organization_id, 'UTF8')), 'hex'), 40) AS value FROM organization.organizations),
          added AS (INSERT INTO organization.organization_credentials (credential_id, organization_id, hash, hint, created_at)
                    SELECT 'cred_' || right(value, 20), organization_id, sha256(convert_to(value, 'UTF8')), '', now() FROM made ON CONFLICT DO NOTHING)
     SELECT organization_id AS "organizationId", value FROM made`,
  );
  return new Map(made.map(({ organizationId, value }) => [organizationId, new ApiClient(stack.urls.gateway, { 'VF-ORG-ID': value })]));
}

/** Compares the ledger with the summary of each finished room and the balance of each organization, as the gateway returns them. */
async function differencesFromApi(stack: RunningStack): Promise<string[]> {
  const rooms = await stack.rows<FinishedRoom>(
    `SELECT r.organization_id AS "organizationId", r.room_id AS "roomId",
            (SELECT coalesce(sum(${TAKEN}), 0)::float8 FROM billing.ledger_entries e WHERE e.sid = r.sid) AS taken
       FROM room.rooms r WHERE r.state = 'finished'`,
  );
  const accounts = await stack.rows<{ organizationId: string; balance: number; isPrepaid: boolean; cycle: number }>(
    `SELECT organization_id AS "organizationId", balance::float8 AS balance, billing_type = 'PREPAID' AS "isPrepaid", (0 - cycle_credits)::float8 AS cycle FROM billing.accounts`,
  );
  const apis = await backendsOf(stack);
  const apiOf = (organizationId: string) => apis.get(organizationId) as ApiClient;
  const differences: string[] = [];
  for (const { organizationId, roomId, taken } of rooms) {
    const { body } = await apiOf(organizationId).get(`/v1/room/${roomId}/summary`);
    if (body?.data?.totalCredits !== taken)
      differences.push(`${roomId}: the summary says ${body?.data?.totalCredits}, the ledger ${taken}`);
  }
  for (const { organizationId, balance, isPrepaid, cycle } of accounts) {
    const { body } = await apiOf(organizationId).get('/v1/billing/balance');
    const reported = isPrepaid ? body?.data?.remainingCredits : body?.data?.creditsThisCycle;
    const known = isPrepaid ? balance : cycle;
    if (reported !== known) differences.push(`an organization’s balance is ${known} but reported as ${reported}`);
  }
  return differences;
}
