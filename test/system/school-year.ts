import type { TestStack } from '@classroom/testing';

/** 100,000 classes. */
export const CLASSES_A_DAY = 385;
const FIRST_HOUR = 8;

/** One year of classes on school days that have ended, been charged and paid: what services would have written, made by Postgres. */
export async function makeSchoolYear(stack: TestStack, organizationId: string): Promise<void> {
  await stack.rows(
    `CREATE TEMPORARY TABLE lessons AS
     SELECT 'RM_' || substr(md5(to_char(day, 'YYYYMMDD') || n), 1, 16) AS sid, 'lesson-' || to_char(day, 'YYYY-MM-DD') || '-' || n AS room_id,
            (ARRAY['Algebra', 'Biology', 'Chemistry', 'English', 'History'])[1 + n % 5] || ', group ' || n AS title, started_at,
            started_at + interval '1 minute' * (30 + n % 31) AS ended_at, 2 * (30 + n % 31) AS credits, gen_random_uuid() AS entry_id, n
       FROM generate_series(current_date - 364, current_date - 1, interval '1 day') AS day, generate_series(1, ${CLASSES_A_DAY}) AS n,
            LATERAL (SELECT day AT TIME ZONE 'UTC' + interval '${FIRST_HOUR} hours' + interval '1 minute' * n AS started_at) AS time
      WHERE extract(isodow FROM day) < 6;
     INSERT INTO room.rooms (sid, organization_id, room_id, title, customization, state, media, created_at,
                             started_at, ended_at, end_reason, last_left_at, verified_at, tokens_expire_at, finished_at)
     SELECT sid, '${organizationId}', room_id, title, '{}', 'finished', 'closed', started_at, started_at, ended_at, 'deleted', ended_at, ended_at,
            ended_at, ended_at FROM lessons;
     INSERT INTO billing.ledger_entries (entry_id, organization_id, kind, debit_account, credit_account, credits, credit_rate, currency, recorded_at, sid, room_id,
                                         meter_sequence, meter_version, total_seconds, charged_through)
     SELECT entry_id, '${organizationId}', 'CHARGE', 'customer', 'usage', credits, 0.01, 'USD', ended_at, sid, room_id, 1, 2, credits * 60, ended_at
       FROM lessons ORDER BY ended_at;
     INSERT INTO billing.room_meters (sid, organization_id, room_id, title, started_at, ended_at, verified_at, finished_at, settled_at, charged_credits, sequence,
                                      last_entry_id, folded_version, final_version)
     SELECT sid, '${organizationId}', room_id, title, started_at, ended_at, ended_at, ended_at, ended_at, credits, 1, entry_id, 2, 2 FROM lessons;
     INSERT INTO billing.sessions_by_month (connection_sid, sid, organization_id, uid, name, role, joined_at, left_at, opened_by, closed_by, version, month)
     SELECT 'PA_' || substr(md5(sid || role), 1, 12), sid, '${organizationId}', lower(role) || '-' || n % 500, initcap(role) || ' ' || n % 500, role, started_at,
            ended_at, 'webhook', 'webhook', 1, billing.session_month(started_at)
       FROM lessons, unnest('{TEACHER,STUDENT}'::text[]) AS role;
     UPDATE billing.accounts SET balance = balance - (SELECT sum(credits) FROM lessons) WHERE organization_id = '${organizationId}';
     DROP TABLE lessons;
     ANALYZE room.rooms; ANALYZE billing.ledger_entries; ANALYZE billing.room_meters; ANALYZE billing.sessions_by_month`,
  );
}
