import type { Period } from '@classroom/contracts';

/** Selects sessions: one participant's, by the UTC day of their join, in one room or in all. */
export interface SessionFilter {
  organizationId: string;
  uid: string;
  /** `from` is inclusive and `to` exclusive. */
  from: Date;
  to: Date;
  sid: string | null;
  /** The end of an active session for computing its duration. */
  now: Date;
}

export interface Totals {
  sessions: number;
  rooms: number;
  /** Whole seconds of each session, summed. */
  seconds: number;
}

/** One participant's sessions in one room. */
export interface RoomGroup {
  sid: string;
  roomId: string;
  title: string;
  sessions: number;
  /** Whole seconds of each session, summed. */
  seconds: number;
}

/** What opened and closed a session. */
export interface SessionEvidence {
  openedBy: string;
  closedBy: string | null;
}

export interface SessionRecord extends SessionEvidence {
  sid: string;
  connectionSid: string;
  joinedAt: Date;
  leftAt: Date | null;
  /** Whole seconds. */
  seconds: number;
  ip: string | null;
}

/** The place of a session in a participant's sessions, newest first; `joinedAt` in microseconds since 1970. */
export interface Position {
  joinedAt: number;
  connectionSid: string;
}

/** Sessions, newest first, as one list for each property; times in microseconds since 1970. */
export interface SessionColumns {
  sids: string[];
  joinedAt: number[];
  leftAt: (number | null)[];
  ips: (string | null)[];
}

export interface SessionChunk {
  /** The next chunk begins after it. Null: there is none. */
  next: Position | null;
  /** Decodes the sessions. The caller can ask for the next chunk before. */
  decode(): SessionColumns;
}

/** One participant of a room. */
export interface Attendee {
  uid: string;
  /** Those of the latest session. */
  name: string;
  role: string;
  firstJoinedAt: Date;
  /** Null while a session is active. */
  lastLeftAt: Date | null;
  /** The sum of the sessions, in whole seconds. */
  seconds: number;
  sessions: number;
  /** The time of each session. */
  stays: Period[];
}

export interface RoomKey {
  organizationId: string;
  sid: string;
}

/** Sessions of one chunk, which keeps round trips few and memory constant. */
export const ROWS_PER_CHUNK = 5_000;

/** @param count of a chunk's sessions @param last the place of the last one @returns null if the chunk is not full, so it is the last one */
export const positionAfter = (count: number, last: Position): Position | null => (count === ROWS_PER_CHUNK ? last : null);

/**
 * Where the reports read sessions. Charging never reads it. Every method throws AppError SERVICE_UNAVAILABLE if the store is unreachable, and
 * never returns a part of the result.
 */
export abstract class SessionsStore {
  /** Name and role of the participant's latest session; null for an unknown uid. */
  abstract findIdentity(organizationId: string, uid: string): Promise<{ name: string; role: string } | null>;
  abstract totals(filter: SessionFilter): Promise<Totals>;
  /** Rooms by their latest session, newest first. */
  abstract groups(filter: SessionFilter, limit: number, offset: number): Promise<RoomGroup[]>;
  /** The newest sessions of each room, at most `each` per room. */
  abstract newestByRoom(filter: SessionFilter, sids: string[], each: number): Promise<SessionRecord[]>;
  /** Sessions, newest first. */
  abstract page(filter: SessionFilter, limit: number, offset: number): Promise<SessionRecord[]>;
  /** At most ROWS_PER_CHUNK sessions after `position`. Ignores `filter.to`. */
  abstract readChunk(filter: SessionFilter, position: Position): Promise<SessionChunk>;
  /** A room's participants after `after`, by uid. Open sessions count up to `until`. A null `limit` returns all. */
  abstract listAttendees(room: RoomKey, until: Date, after: string, limit: number | null): Promise<Attendee[]>;
}
