/** One stay of a participant. */
export interface Stay {
  connectionSid: string;
  uid: string;
  name: string;
  role: string;
  joinedAt: string;
  leftAt: string | null;
}

/** A bar of a lane: where it begins and how long it is, as shares of the period from 0 to 1. */
export interface Bar {
  id: string;
  from: number;
  length: number;
  joinedAt: string;
  leftAt: string | null;
}

export interface Lane {
  uid: string;
  name: string;
  role: string;
  seconds: number;
  bars: Bar[];
}

/** Milliseconds since 1970. */
export interface Period {
  start: number;
  end: number;
}

/** From the first join to the last leave; to `now` while someone is connected. Undefined before the first join. */
export function periodOf(stays: readonly Stay[], now: number): Period | undefined {
  if (stays.length === 0) return undefined;
  const start = stays.reduce((first, { joinedAt }) => Math.min(first, Date.parse(joinedAt)), Infinity);
  const end = stays.reduce((last, stay) => Math.max(last, endOf(stay, now)), -Infinity);
  return { start, end: Math.max(end, start + 1_000) };
}

/** A lane for each participant, in the order in which they came. */
export function lanesOf(stays: readonly Stay[], { start, end }: Period): Lane[] {
  const lanes = new Map<string, Lane>();
  for (const stay of [...stays].sort((a, b) => a.joinedAt.localeCompare(b.joinedAt))) {
    const { uid, name, role, connectionSid, joinedAt, leftAt } = stay;
    const lane = lanes.get(uid) ?? { uid, name, role, seconds: 0, bars: [] };
    const [from, to] = [Date.parse(joinedAt), Math.min(endOf(stay, end), end)];
    lane.bars.push({ id: connectionSid, from: (from - start) / (end - start), length: (to - from) / (end - start), joinedAt, leftAt });
    lane.seconds += Math.floor((to - from) / 1000);
    lanes.set(uid, { ...lane, name, role });
  }
  return [...lanes.values()];
}

/** How many participants were connected, as steps: from each time (seconds since 1970) on, so many. Someone with two connections counts once. */
export function presenceOf(stays: readonly Stay[], { end }: Period): { times: number[]; counts: number[] } {
  const changes = stays.flatMap((stay) => [
    { at: Date.parse(stay.joinedAt), uid: stay.uid, by: 1 },
    { at: Math.min(endOf(stay, end), end), uid: stay.uid, by: -1 },
  ]);
  // At the same instant, joins come first: a rejoin is no gap.
  changes.sort((a, b) => a.at - b.at || b.by - a.by);
  const open = new Map<string, number>();
  const [times, counts]: [number[], number[]] = [[], []];
  for (const { at, uid, by } of changes) {
    const connections = (open.get(uid) ?? 0) + by;
    if (connections === 0) open.delete(uid);
    else open.set(uid, connections);
    if (times.at(-1) === at / 1000) counts[counts.length - 1] = open.size;
    else {
      times.push(at / 1000);
      counts.push(open.size);
    }
  }
  return { times, counts };
}

const endOf = ({ leftAt }: Stay, now: number) => (leftAt === null ? now : Date.parse(leftAt));
