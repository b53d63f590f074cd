import type { RunningStack } from './running-stack.js';

export interface MeterRow {
  /** Credits that were charged so far. */
  charged: number;
  sequence: number;
  isSettled: boolean;
  isDue: boolean;
}

/** What billing has charged of a room; undefined before it knows the room. */
export async function meterOf(stack: RunningStack, sid: string): Promise<MeterRow | undefined> {
  const [meter] = await stack.rows<MeterRow>(
    `SELECT charged_credits::float8 AS charged, sequence::int, settled_at IS NOT NULL AS "isSettled", due_at IS NOT NULL AS "isDue"
       FROM billing.room_meters WHERE sid = $1`,
    [sid],
  );
  return meter;
}

/** The credits that billing has charged for all rooms, or for those of an organization. */
export async function chargedCredits(stack: RunningStack, organizationId?: string): Promise<number> {
  const [row] = await stack.rows<{ sum: number }>(
    `SELECT coalesce(sum(charged_credits), 0)::float8 AS sum FROM billing.room_meters WHERE $1::text IS NULL OR organization_id = $1`,
    [organizationId ?? null],
  );
  return row?.sum ?? 0;
}

export interface SessionRow {
  connectionSid: string;
  uid: string;
  joinedAt: Date;
  leftAt: Date | null;
  version: number;
}

/** The sessions of a room that billing knows. */
export const sessionsOf = (stack: RunningStack, sid: string): Promise<SessionRow[]> =>
  stack.rows<SessionRow>(
    `SELECT connection_sid AS "connectionSid", uid, joined_at AS "joinedAt", left_at AS "leftAt", version::int
       FROM billing.sessions_by_month WHERE sid = $1 ORDER BY connection_sid COLLATE "C"`,
    [sid],
  );
