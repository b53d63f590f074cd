import { AppError, JOIN_BEFORE, ROLE_PERMISSIONS, type ErrorDetail, type Role, type ShownSchedule, smallestOf } from '@classroom/contracts';
import type { Room } from './room.js';

type Schedule = NonNullable<Room['schedule']>;

/** What a request sets: null removes, undefined leaves. */
export type ScheduleChange = { [Field in keyof Schedule]?: Schedule[Field] | null | undefined };

type Scheduled = Pick<Room, 'schedule'>;
type Started = Pick<Room, 'schedule' | 'startedAt'>;
type InState = Pick<Room, 'schedule' | 'startedAt' | 'state'>;

/** Milliseconds from the notice that a class ends to its end. */
const NOTICE_MS = 600_000;
/** An end that follows the first join is known as precisely as LiveKit's clock. */
const SAME_END_MS = 2_000;
const FURTHEST_MS = 366 * 86_400_000;

const utc = (time: string | undefined) => time && new Date(time).toISOString();
const chosen = <T>(given: T | null | undefined, present: T | undefined) => (given === undefined ? present : (given ?? undefined));

/** Null if nothing is set. */
export function changedSchedule(present: Schedule | null, change: ScheduleChange): Schedule | null {
  const schedule: Schedule = {
    startsAt: utc(chosen(change.startsAt, present?.startsAt)),
    endsAt: utc(chosen(change.endsAt, present?.endsAt)),
    joinBefore: chosen(change.joinBefore, present?.joinBefore),
    maxDuration: chosen(change.maxDuration, present?.maxDuration),
  };
  return Object.values(schedule).some((value) => value !== undefined) ? schedule : null;
}

/** VALIDATION_FAILED if the schedule cannot be held after `now`. */
export function problemOf(schedule: Schedule | null, now: Date): AppError | undefined {
  const { startsAt, endsAt } = schedule ?? {};
  const details: ErrorDetail[] = [];
  const latest = now.getTime() + FURTHEST_MS;
  if (startsAt && Date.parse(startsAt) > latest) details.push({ path: 'settings.startsAt', message: 'must be at most 366 days from now' });
  if (endsAt && Date.parse(endsAt) > latest) details.push({ path: 'settings.endsAt', message: 'must be at most 366 days from now' });
  if (endsAt && Date.parse(endsAt) <= now.getTime()) details.push({ path: 'settings.endsAt', message: 'must be in the future' });
  if (startsAt && endsAt && endsAt <= startsAt) details.push({ path: 'settings.endsAt', message: 'must be after startsAt' });
  return details.length > 0 ? new AppError('VALIDATION_FAILED', { details }) : undefined;
}

/** When the room opens; null: it is open. */
export function opensAt({ schedule }: Scheduled): Date | null {
  if (!schedule?.startsAt) return null;
  return new Date(Date.parse(schedule.startsAt) - (schedule.joinBefore ?? JOIN_BEFORE) * 1000);
}

/** The same for a role. Who may start a recording prepares the lesson, and is never held back. */
export const opensAtFor = (room: Scheduled, role: Role): Date | null => (ROLE_PERMISSIONS[role].startRecording ? null : opensAt(room));

/** When the class ends for everyone; null: never, or not known before the first join. */
export function scheduledEnd({ schedule, startedAt }: Started): Date | null {
  const { startsAt, endsAt, maxDuration } = schedule ?? {};
  const ends = endsAt ? [Date.parse(endsAt)] : [];
  if (maxDuration && startedAt) ends.push(Math.max(startedAt.getTime(), startsAt ? Date.parse(startsAt) : 0) + maxDuration * 1000);
  return ends.length > 0 ? new Date(smallestOf(ends)) : null;
}

/** When the lesson is over as far as that is known before it: no earlier than its start. Null: without a schedule. */
export function plannedEnd({ schedule }: Scheduled): Date | null {
  const { startsAt, endsAt, maxDuration = 0 } = schedule ?? {};
  if (endsAt) return new Date(endsAt);
  return startsAt ? new Date(Date.parse(startsAt) + maxDuration * 1000) : null;
}

/** Whether a notice of the end of the live class is due. `noticed`: the end that was announced. */
export function isNoticeDue(room: InState, noticed: Date | null, now: Date): boolean {
  const end = scheduledEnd(room);
  if (room.state !== 'live' || end === null || end.getTime() - NOTICE_MS > now.getTime()) return false;
  return noticed === null || Math.abs(noticed.getTime() - end.getTime()) > SAME_END_MS;
}

/** When the schedule next has something to do after `now`: to open the room, to give notice of the end, to end the class. */
export function nextStepAt(room: InState, now: Date): Date | null {
  const end = scheduledEnd(room)?.getTime();
  const steps = end ? [end] : [];
  const [opening, notice] = [opensAt(room)?.getTime() ?? 0, (end ?? 0) - NOTICE_MS];
  if (room.state !== 'live' && opening > now.getTime()) steps.push(opening);
  if (room.state === 'live' && notice > now.getTime()) steps.push(notice);
  return steps.length > 0 ? new Date(smallestOf(steps)) : null;
}

export const toShownSchedule = ({ schedule }: Scheduled): ShownSchedule => {
  const { startsAt = null, endsAt = null, joinBefore = JOIN_BEFORE, maxDuration = null } = schedule ?? {};
  return { startsAt, endsAt, joinBefore, maxDuration };
};
