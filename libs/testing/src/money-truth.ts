import type { SimulatedLiveKit } from './livekit/simulated-livekit.js';
import { EXACT, type TruthTolerance } from './presence-truth.js';
import type { RunningStack } from './running-stack.js';

/**
 * Compares what was billed for an ended room with what the simulator knows to have happened: each connection of a participant
 * from the second of its joining to the second of its end or the room's end, and the credits for their sum. `earlySeconds` and
 * `lateSeconds` limit how far an end may differ from the true one.
 * @throws Error that names each difference
 */
export async function expectBilledTruth(
  stack: RunningStack,
  livekit: SimulatedLiveKit,
  sid: string,
  endedAtMs: number,
  { earlySeconds, lateSeconds }: TruthTolerance = EXACT,
): Promise<void> {
  const people = (await livekit.truth(sid)).filter(({ activeAt, connectedAt }) => activeAt !== undefined && connectedAt < endedAtMs);
  const rows = await stack.rows<{ connectionSid: string; joined: number; left: number }>(
    `SELECT connection_sid AS "connectionSid", extract(epoch FROM joined_at)::float8 AS joined, extract(epoch FROM left_at)::float8 AS "left"
       FROM billing.sessions_by_month WHERE sid = $1`,
    [sid],
  );
  const sessions = new Map(rows.map((row) => [row.connectionSid, row]));
  const differences: string[] = [];
  let least = 0;
  let most = 0;
  for (const { sid: connectionSid, identity, connectedAt, disconnectedAt = Infinity } of people) {
    const session = sessions.get(connectionSid);
    sessions.delete(connectionSid);
    const joined = Math.floor(connectedAt / 1000);
    const left = Math.floor(Math.min(disconnectedAt, endedAtMs) / 1000);
    least += Math.max(left - earlySeconds - joined, 0);
    most += Math.max(left + lateSeconds - joined, 0);
    if (!session) {
      if (left > joined) differences.push(`${identity} (${connectionSid}) was there from ${joined} to ${left} and is not billed`);
    } else if (session.joined !== joined || session.left < left - earlySeconds || session.left > left + lateSeconds) {
      differences.push(
        `${identity} (${connectionSid}) was there from ${joined} to ${left}, billed from ${session.joined} to ${session.left}`,
      );
    }
  }
  for (const connectionSid of sessions.keys()) differences.push(`${connectionSid} was never there and is billed`);
  const [ledger] = await stack.rows<{ taken: number }>(
    `SELECT coalesce(sum(CASE WHEN debit_account = 'customer' THEN credits ELSE -credits END), 0)::float8 AS taken
       FROM billing.ledger_entries WHERE sid = $1`,
    [sid],
  );
  const taken = ledger?.taken ?? 0;
  if (taken < Math.ceil(least / 60) || taken > Math.ceil(most / 60)) {
    differences.push(`${taken} credits were taken for ${least} to ${most} s of ${people.length} connections`);
  }
  if (differences.length > 0) throw new Error(`what was billed of ${sid} is not the truth:\n${differences.slice(0, 20).join('\n')}`);
}
