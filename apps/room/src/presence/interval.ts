/**
 * Presence as a fold of evidence: pure functions over the intervals of one room. Times are whole seconds of LiveKit's clock
 * since 1970. Evidence may arrive twice, late, in any order or never: the result does not depend on its order.
 */
import type { Person } from '../livekit/livekit-person.js';
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
  /** A webhook reported its end: nothing reopens it. */
  isFinal: boolean;
  /** False for a connection that never became active. */
  isCounted: boolean;
  /** While it is missing from LiveKit's list: the last second at which it was seen. */
  missingSince: number | null;
}

/** The limits that the room sets: no interval lasts longer than the class, and no unverified time is charged. */
export interface Bounds {
  endedAt: number | null;
  /** When LiveKit last answered with a list. It contained every interval that is open and not missing. */
  verifiedAt: number | null;
}

/**
 * If LiveKit does not report when a connection began, or reports a time before `earliest`, the connection counts from `at`, the
 * time of the report: unknown time is not charged.
 */
export function withPlausibleJoin(person: Person, at: number, earliest: number): Person {
  return person.joinedAt >= earliest ? person : { ...person, joinedAt: Math.max(at, earliest) };
}

/** Seconds. A list may not contain a participant who joined within this time before the request for it. */
const LIST_GRACE_S = 1;

const isOpen = (interval: Interval) => interval.leftAt === null;

/** A participant whose webhook arrives after a list that did not contain it has not been seen since it joined. */
function opened(person: Person, by: Evidence, bounds: Bounds): Interval {
  const isUnseen = by === 'webhook' && bounds.verifiedAt !== null && person.joinedAt < bounds.verifiedAt - LIST_GRACE_S;
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
  return verifiedAt === null || joinedAt >= verifiedAt - LIST_GRACE_S ? joinedAt : verifiedAt;
}

/** A participant is active. A newer connection of a uid ends its older one, provisionally at the last verified second. */
export function applyJoined(present: readonly Interval[], person: Person, by: Evidence, bounds: Bounds): Interval[] {
  if (bounds.endedAt !== null && person.joinedAt >= bounds.endedAt) return [];
  const changed: Interval[] = [];
  let own = present.find(({ connectionSid }) => connectionSid === person.connectionSid);
  // A list reopens an interval that was closed for lack of evidence. A late `joined` webhook proves nothing about the present.
  const reopens = own && !own.isFinal && own.leftAt !== null && by === 'reconciler' && bounds.endedAt === null;
  if (!own || reopens) {
    own = own ? { ...own, leftAt: null, closedBy: null, missingSince: null } : opened(person, by, bounds);
    // First reported after the class: no list ever contained it, so none of its time counts until its own end is reported.
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

/** A webhook reported that a connection ended: this is final, and creates the interval if its `joined` never arrived. */
export function applyLeft(present: readonly Interval[], person: Person, at: number, bounds: Bounds): Interval[] {
  const own = present.find(({ connectionSid }) => connectionSid === person.connectionSid);
  if (own?.isFinal) return [];
  if (!own && bounds.endedAt !== null && person.joinedAt >= bounds.endedAt) return [];
  const ended = closed(own ?? opened(person, 'webhook', bounds), at, 'webhook', bounds, true);
  // Nothing reopens it after the class. LiveKit reports everyone who was there until its end.
  if (bounds.endedAt !== null && own?.leftAt === ended.leftAt) return [];
  return [ended];
}

/** A connection that ended without ever being active: stored, so that a late `joined` cannot open it, but never counted. */
export function applyAborted(present: readonly Interval[], person: Person, at: number, bounds: Bounds): Interval[] {
  const own = present.find(({ connectionSid }) => connectionSid === person.connectionSid);
  if (own) return applyLeft(present, person, at, bounds);
  return [{ ...closed(opened(person, 'webhook', bounds), person.joinedAt, 'webhook', bounds, true), isCounted: false }];
}

/**
 * Applies LiveKit's list of `takenAt`. `active` are the people to count; `listed` is everyone in the list, because a
 * participant who is still connecting is not missing. A connection that is missing once is marked; missing twice, it is closed
 * at the last second at which it was seen.
 */
export function applyList(
  present: readonly Interval[],
  list: { active: readonly Person[]; listed: ReadonlySet<string>; takenAt: number },
  bounds: Bounds,
): Interval[] {
  const intervals = new Map(present.map((interval) => [interval.connectionSid, interval]));
  const changed = new Map<string, Interval>();
  const apply = (intervalsChanged: Interval[]) => {
    for (const interval of intervalsChanged) {
      intervals.set(interval.connectionSid, interval);
      changed.set(interval.connectionSid, interval);
    }
  };
  const byAge = [...list.active].sort((a, b) => a.joinedAt - b.joinedAt);
  for (const person of byAge) apply(applyJoined([...candidates(intervals, person)], person, 'reconciler', bounds));
  for (const interval of intervals.values()) {
    if (!isOpen(interval) || list.listed.has(interval.connectionSid)) continue;
    // It may have joined while the list was being requested.
    if (interval.joinedAt >= list.takenAt - LIST_GRACE_S) continue;
    const until = verifiedUntil(interval, bounds);
    if (interval.missingSince === null) apply([{ ...interval, missingSince: until }]);
    else apply([closed(interval, until, 'reconciler', bounds)]);
  }
  return [...changed.values()];
}

function candidates(intervals: ReadonlyMap<string, Interval>, person: Person): Interval[] {
  return [...intervals.values()].filter(({ connectionSid, uid }) => connectionSid === person.connectionSid || uid === person.uid);
}

/** LiveKit closed the room by itself: everyone who was in it at that time has left, unless a list shows otherwise. */
export function applyMediaClosed(present: readonly Interval[], at: number, bounds: Bounds): Interval[] {
  return present
    .filter((interval) => isOpen(interval) && interval.joinedAt <= at)
    .map((interval) => closed(interval, at, 'webhook', bounds));
}

/**
 * The class ended at `endedAt`. If LiveKit has not answered for a while (`isVerified` is false), no participant is charged
 * beyond the last verified second.
 */
export function applyRoomEnd(present: readonly Interval[], endedAt: number, isVerified: boolean, bounds: Bounds): Interval[] {
  return present.filter(isOpen).map((interval) => {
    const at = isVerified && interval.missingSince === null ? endedAt : verifiedUntil(interval, bounds);
    return closed(interval, at, 'room_end', { ...bounds, endedAt });
  });
}
