/**
 * Presence as a fold of evidence: pure functions over the intervals of one room. Times are whole seconds of LiveKit's
 * clock since 1970. The functions are free of order and of doubles: evidence may come twice, late or never.
 */
import type { Person } from '../participants/livekit-person.js';
import type { ConnectionEntity } from '../schema/connection.entity.js';

export type Evidence = ConnectionEntity['openedBy'];

export interface Interval {
  connectionSid: string;
  uid: string;
  name: string;
  role: string;
  ip: string | null;
  joinedAt: number;
  leftAt: number | null;
  openedBy: Evidence;
  closedBy: Evidence | null;
  /** A webhook said that it ended: nothing reopens it. */
  isFinal: boolean;
  /** False for a connection that never became active. */
  isCounted: boolean;
  /** While it is missing from LiveKit's list: the last second at which it was seen. */
  missingSince: number | null;
}

/** What the room itself limits: nothing lasts longer than the class, and nothing is charged that was not verified. */
export interface Bounds {
  endedAt: number | null;
  /** When LiveKit last answered with a list: who is open and not missing was in it. */
  verifiedAt: number | null;
}

/**
 * Where LiveKit leaves out when a connection began, or says nonsense (before `earliest`), it counts from `at`, when LiveKit spoke of
 * it: nothing that is not known is charged.
 */
export function plausible(person: Person, at: number, earliest: number): Person {
  return person.joinedAt >= earliest ? person : { ...person, joinedAt: Math.max(at, earliest) };
}

/** A list may miss who joined within this many seconds before it was asked for: it was on its way. */
const GRACE_S = 1;

const isOpen = (interval: Interval) => interval.leftAt === null;

/** Who is told of only after a list that did not name it has not been seen since it joined. */
function opened(person: Person, by: Evidence, bounds: Bounds): Interval {
  const isUnseen = by === 'webhook' && bounds.verifiedAt !== null && person.joinedAt < bounds.verifiedAt - GRACE_S;
  const missingSince = isUnseen ? person.joinedAt : null;
  return { ...person, leftAt: null, openedBy: by, closedBy: null, isFinal: false, isCounted: true, missingSince };
}

function closed(interval: Interval, at: number, by: Evidence, bounds: Bounds, isFinal = false): Interval {
  const capped = bounds.endedAt === null ? at : Math.min(at, bounds.endedAt);
  return { ...interval, leftAt: Math.max(capped, interval.joinedAt), closedBy: by, isFinal, missingSince: null };
}

/** The last second at which an open interval was known to be there. */
function verifiedUntil({ joinedAt, missingSince }: Interval, { verifiedAt }: Bounds): number {
  if (missingSince !== null) return missingSince;
  return verifiedAt === null || joinedAt >= verifiedAt - GRACE_S ? joinedAt : verifiedAt;
}

/** Somebody is active. A newer connection of a uid ends its older one, provisionally at the last verified second. */
export function applyJoined(present: readonly Interval[], person: Person, by: Evidence, bounds: Bounds): Interval[] {
  if (bounds.endedAt !== null && person.joinedAt >= bounds.endedAt) return [];
  const changed: Interval[] = [];
  let own = present.find(({ connectionSid }) => connectionSid === person.connectionSid);
  // A list reopens what was closed for want of evidence; a webhook's late `joined` says nothing of the present.
  const reopens = own && !own.isFinal && own.leftAt !== null && by === 'reconciler' && bounds.endedAt === null;
  if (!own || reopens) {
    own = own ? { ...own, leftAt: null, closedBy: null, missingSince: null } : opened(person, by, bounds);
    // Told of only after the class: no list ever showed it, so nothing of it counts until its own end is told.
    if (bounds.endedAt !== null) own = closed(own, own.joinedAt, 'room_end', bounds);
    changed.push(own);
  }
  if (own.leftAt === null && own.missingSince !== null && by === 'reconciler') {
    own = { ...own, missingSince: null };
    changed.push(own);
  }
  const others = present.filter(({ uid, connectionSid }) => uid === person.uid && connectionSid !== person.connectionSid);
  const newest = others.reduce((latest, other) => Math.max(latest, other.joinedAt), person.joinedAt);
  for (const other of others.filter(isOpen)) {
    if (other.joinedAt < newest) changed.push(closed(other, verifiedUntil(other, bounds), by, bounds));
  }
  if (newest > person.joinedAt && own.leftAt === null) {
    const superseded = closed(own, verifiedUntil(own, bounds), by, bounds);
    return [...changed.filter(({ connectionSid }) => connectionSid !== own.connectionSid), superseded];
  }
  return changed;
}

/** A webhook's word that a connection ended: final, and enough to make the interval if its `joined` never came. */
export function applyLeft(present: readonly Interval[], person: Person, at: number, bounds: Bounds): Interval[] {
  const own = present.find(({ connectionSid }) => connectionSid === person.connectionSid);
  if (own?.isFinal) return [];
  if (!own && bounds.endedAt !== null && person.joinedAt >= bounds.endedAt) return [];
  return [closed(own ?? opened(person, 'webhook', bounds), at, 'webhook', bounds, true)];
}

/** A connection that ended without ever being active: remembered, so that a late `joined` can't open it, never counted. */
export function applyAborted(present: readonly Interval[], person: Person, at: number, bounds: Bounds): Interval[] {
  const own = present.find(({ connectionSid }) => connectionSid === person.connectionSid);
  if (own) return applyLeft(present, person, at, bounds);
  return [{ ...closed(opened(person, 'webhook', bounds), person.joinedAt, 'webhook', bounds, true), isCounted: false }];
}

/**
 * LiveKit's list at `takenAt`. `active` are people to count, `listed` everybody in it (somebody still connecting is not
 * missing). Who is missing once is remembered, twice is closed at the last second seen.
 */
export function applyList(
  present: readonly Interval[],
  list: { active: readonly Person[]; listed: ReadonlySet<string>; takenAt: number },
  bounds: Bounds,
): Interval[] {
  const intervals = new Map(present.map((interval) => [interval.connectionSid, interval]));
  const changed = new Map<string, Interval>();
  const keep = (intervalsChanged: Interval[]) => {
    for (const interval of intervalsChanged) {
      intervals.set(interval.connectionSid, interval);
      changed.set(interval.connectionSid, interval);
    }
  };
  const byAge = [...list.active].sort((a, b) => a.joinedAt - b.joinedAt);
  for (const person of byAge) keep(applyJoined([...candidates(intervals, person)], person, 'reconciler', bounds));
  for (const interval of intervals.values()) {
    if (!isOpen(interval) || list.listed.has(interval.connectionSid)) continue;
    // It may have joined while the list was on its way.
    if (interval.joinedAt >= list.takenAt - GRACE_S) continue;
    const until = verifiedUntil(interval, bounds);
    if (interval.missingSince === null) keep([{ ...interval, missingSince: until }]);
    else keep([closed(interval, until, 'reconciler', bounds)]);
  }
  return [...changed.values()];
}

function candidates(intervals: ReadonlyMap<string, Interval>, person: Person): Interval[] {
  return [...intervals.values()].filter(({ connectionSid, uid }) => connectionSid === person.connectionSid || uid === person.uid);
}

/** LiveKit closed the room under us: who was there by then is gone, unless a list shows otherwise. */
export function applyMediaClosed(present: readonly Interval[], at: number, bounds: Bounds): Interval[] {
  return present
    .filter((interval) => isOpen(interval) && interval.joinedAt <= at)
    .map((interval) => closed(interval, at, 'webhook', bounds));
}

/**
 * The class ended at `endedAt`. Where LiveKit has not answered for a while (`isVerified` false) nobody is charged past the
 * last second that was verified.
 */
export function applyRoomEnd(present: readonly Interval[], endedAt: number, isVerified: boolean, bounds: Bounds): Interval[] {
  return present.filter(isOpen).map((interval) => {
    const at = isVerified && interval.missingSince === null ? endedAt : verifiedUntil(interval, bounds);
    return closed(interval, at, 'room_end', { ...bounds, endedAt });
  });
}
