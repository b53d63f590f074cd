import {
  evaluateAttendance,
  roomRpc,
  type AttendanceEvaluation,
  type AttendancePolicy,
  type RpcInput,
  type RpcOutput,
  type Period,
} from '@classroom/contracts';
import type { RpcClient } from '@classroom/messaging';
import type { Attendee } from './sessions-store.js';

/** By what a class is evaluated. */
export interface Basis {
  policy: AttendancePolicy;
  lesson: Period;
  /** Names by uid, in the order of the uids; empty if the room has no roster. */
  roster: ReadonlyMap<string, string | null>;
}

/** @returns null if the lesson has not begun @throws AppError ROOM_NOT_FOUND, SERVICE_UNAVAILABLE */
export async function readBasis(rpc: RpcClient, room: { organizationId: string; roomId: string }, now: Date): Promise<Basis | null> {
  const roster = new Map<string, string | null>();
  const request: RpcInput<typeof roomRpc.attendanceBasis> = { ...room, now: now.toISOString() };
  for (;;) {
    const page: RpcOutput<typeof roomRpc.attendanceBasis> = await rpc.call(roomRpc.attendanceBasis, request);
    if (!page.basis) return null;
    for (const { uid, name } of page.roster) roster.set(uid, name);
    if (page.next === null) return { ...page.basis, roster };
    request.after = page.next;
  }
}

export function evaluationOf({ policy, lesson, roster }: Basis, { uid, stays }: Attendee): AttendanceEvaluation {
  const { secondsPresent, ...evaluation } = evaluateAttendance(policy, lesson, stays);
  const percentOfLesson = percent(secondsPresent, lesson[1] - lesson[0]);
  return { ...evaluation, percentOfLesson, isOnRoster: roster.size > 0 ? roster.has(uid) : null };
}

/** The people on the roster who are not among `people`, in the order of their uids. */
export function neverJoinedOf(basis: Basis | null, people: readonly Attendee[]): { uid: string; name: string | null }[] {
  const joined = new Set(people.map(({ uid }) => uid));
  const missing = [...(basis?.roster ?? [])].filter(([uid]) => !joined.has(uid)).map(([uid, name]) => ({ uid, name }));
  return missing.toSorted((a, b) => (a.uid < b.uid ? -1 : 1));
}

export const toTimestamp = (seconds: number) => new Date(seconds * 1000).toISOString();

/** One decimal, 100 at most. */
export const percent = (part: number, whole: number) => (whole === 0 ? 0 : Math.min(100, Math.round((part / whole) * 1000) / 10));
