import type { SimulatedLiveKit } from './livekit/simulated-livekit.js';
import type { TrueConnection } from './livekit/simulator/truth.js';
import type { RunningStack } from './running-stack.js';

export interface TruthTolerance {
  /** Seconds by which an end that was not reported may be before the true one: back to the last list that contained the participant. */
  earlySeconds: number;
  /** Seconds by which an end may be after the true one: LiveKit notices a crash late. */
  lateSeconds: number;
}

/** LiveKit stamps `left` in whole seconds, when its goroutine gets to it. */
export const EXACT: TruthTolerance = { earlySeconds: 0, lateSeconds: 1 };

interface Row {
  connectionSid: string;
  joined: number;
  left: number | null;
  isCounted: boolean;
}

/**
 * Compares a room's rows with what the simulator knows to have happened: every participant who was active has exactly one
 * connection, from the second of joining, and it is open only if the participant is connected.
 * @throws Error that names each difference
 */
export async function expectTruth(
  stack: RunningStack,
  livekit: SimulatedLiveKit,
  sid: string,
  { earlySeconds, lateSeconds }: TruthTolerance = EXACT,
): Promise<void> {
  const people = (await livekit.truth(sid)).filter(isPerson);
  const rows = await stack.rows<Row>(
    `SELECT connection_sid AS "connectionSid", extract(epoch FROM joined_at)::int AS joined,
            extract(epoch FROM left_at)::int AS "left", is_counted AS "isCounted"
       FROM room.connections_by_month WHERE sid = $1`,
    [sid],
  );
  const [room] = await stack.rows<{ count: number }>('SELECT participant_count AS count FROM room.rooms WHERE sid = $1', [sid]);
  const counted = new Map(rows.filter(({ isCounted }) => isCounted).map((row) => [row.connectionSid, row]));
  const differences = people.flatMap((person) => {
    const row = counted.get(person.sid);
    counted.delete(person.sid);
    if (person.activeAt === undefined) return row ? [`${person.identity} never was active and counts`] : [];
    if (!row) return [`${person.identity} (${person.sid}) is missing`];
    return compare(person, row, earlySeconds, lateSeconds).map((what) => `${person.identity} (${person.sid}) ${what}`);
  });
  const unknown = [...counted.keys()].map((connectionSid) => `${connectionSid} was never connected`);
  const open = people.filter(({ activeAt, disconnectedAt }) => activeAt !== undefined && disconnectedAt === undefined).length;
  const count = room?.count === open ? [] : [`participantCount is ${room?.count}, ${open} are connected`];
  const all = [...differences, ...unknown, ...count];
  if (all.length > 0) throw new Error(`presence of ${sid} is not the truth:\n${all.join('\n')}`);
}

const isPerson = ({ kind, isHidden }: TrueConnection) => !isHidden && (kind === 'STANDARD' || kind === 'SIP');

function compare(person: TrueConnection, row: Row, earlySeconds: number, lateSeconds: number): string[] {
  const differences: string[] = [];
  const joined = Math.floor(person.connectedAt / 1000);
  if (row.joined !== joined) differences.push(`joined at ${joined}, not ${row.joined}`);
  if (person.disconnectedAt === undefined) {
    if (row.left !== null) differences.push(`is connected and closed at ${row.left}`);
    return differences;
  }
  const left = Math.floor(person.disconnectedAt / 1000);
  if (row.left === null) differences.push(`left at ${left} and is open`);
  else if (row.left < left - earlySeconds) differences.push(`left at ${left}, closed ${left - row.left} s earlier`);
  else if (row.left > left + lateSeconds) differences.push(`left at ${left}, closed ${row.left - left} s later`);
  return differences;
}
