import { randomInt } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import {
  AppError,
  changedSettings,
  DEFAULT_SETTINGS,
  NO_CONSENT_ASKED,
  ROLE_PERMISSIONS,
  smallestOf,
  type AttendanceChanges,
  type createRoom,
  type ErrorDetail,
  type Role,
  type RoomBudget,
  type RoomSettings,
  type RosterEntry,
  type RpcInput,
} from '@classroom/contracts';
import { columnsOf } from '@classroom/persistence';
import { RoomEntity } from '../schema/room.entity.js';
import { settingsOf, type WithSettings } from '../schema/settings.js';
import type { PresetRow } from './presets.repository.js';

/** Columns that only a few statements need. */
const RARELY_READ = [
  'metadata',
  'scheduleDueAt',
  'endNoticed',
  'idempotencyKey',
  'classVersion',
  'handsVersion',
  'speakersVersion',
  'chatVersion',
  'pollsVersion',
  'reactionsVersion',
  'removalsVersion',
  'detailsVersion',
  'recordingVersion',
  'waitingVersion',
  'finishedAt',
] as const;

/** A room as requests read it. */
export type Room = Omit<RoomEntity, (typeof RARELY_READ)[number]>;
export const ROOM_COLUMNS = columnsOf(RoomEntity, { except: RARELY_READ });

/** What LiveKit's room and the fact about a new room are made of. */
export type CreatingRoom = Pick<Room, 'sid' | 'organizationId' | 'roomId' | 'title' | 'createdAt' | 'settings'>;

/** How events identify a room. */
export const toEventRoom = ({ organizationId, sid, roomId }: Pick<Room, 'organizationId' | 'sid' | 'roomId'>) => ({
  organizationId,
  sid,
  roomId,
});

/** A room's state in the public API: a room that is being created counts as created. */
export const stateOf = ({ state }: Pick<Room, 'state'>) => (state === 'finished' || state === 'live' ? state : 'created');

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const RANDOM_LENGTH = 16;

/** `RM_` and 16 random letters or digits (95 bits): our permanent id of a room, and its name in LiveKit. */
export const newRoomSid = () => `RM_${Array.from({ length: RANDOM_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')}`;

type Changes = AttendanceChanges | null | undefined;

/** Who gives a roster wants attendance to be evaluated, unless they say otherwise. */
export const attendanceFor = (roster: readonly RosterEntry[] | null | undefined, changes: Changes): Changes =>
  changes === undefined && roster?.length ? {} : changes;

type Given = Pick<RpcInput<typeof createRoom>, 'settings' | 'roster' | 'organizationConsent' | 'organizationAttendance'>;

/** The settings of a new room: what the request gives, otherwise the preset, otherwise the organization, otherwise the defaults. */
export function newSettings(given: Given, preset: PresetRow | undefined): RoomSettings {
  const { settings, roster, organizationConsent: consent = NO_CONSENT_ASKED, organizationAttendance: attendance = null } = given;
  const base = changedSettings({ ...DEFAULT_SETTINGS, consent, attendance }, preset?.settings ?? {});
  return changedSettings(base, { ...settings, attendance: attendanceFor(roster, settings.attendance) });
}

type Doors = Pick<Room, 'budgetVersion' | 'doorsClosed'>;

/**
 * The doors of a room with another budget. A raised or removed one opens doors that the earlier one closed, and so does one that no longer closes
 * them. If the class has used up the new budget too, billing reports it with its next charge.
 */
export function withBudget({ budgetVersion, doorsClosed, ...room }: Doors & WithSettings, budget: RoomBudget | null): Doors {
  const before = settingsOf(room).budget;
  if (isDeepStrictEqual(budget, before)) return { budgetVersion, doorsClosed };
  const isTighter = budget?.onReached === 'closeDoors' && before !== null && budget.maxCredits <= before.maxCredits;
  return { budgetVersion: budgetVersion + 1, doorsClosed: doorsClosed && isTighter };
}

type Started = WithSettings & Pick<Room, 'startedAt'>;
type InState = Started & Pick<Room, 'state'>;
type Schedule = Pick<RoomSettings, 'startsAt' | 'endsAt' | 'joinBefore' | 'maxDuration'>;

/** Milliseconds from the notice that a class ends to its end. */
const NOTICE_MS = 600_000;
/** An end that follows the first join is known as precisely as LiveKit's clock. */
const SAME_END_MS = 2_000;
const FURTHEST_MS = 366 * 86_400_000;

/** Whether a change of settings moves the lesson. */
export const isMoved = ({ startsAt, endsAt, joinBefore, maxDuration }: Partial<Record<keyof Schedule, unknown>>): boolean =>
  [startsAt, endsAt, joinBefore, maxDuration].some((value) => value !== undefined);

/** Whether anything happens by itself because of the schedule. */
export function hasSchedule(room: WithSettings): boolean {
  const { startsAt, endsAt, maxDuration } = settingsOf(room);
  return startsAt !== null || endsAt !== null || maxDuration !== null;
}

/** VALIDATION_FAILED if the schedule cannot be held after `now`. */
export function problemOf({ startsAt, endsAt }: Schedule, now: Date): AppError | undefined {
  const details: ErrorDetail[] = [];
  const latest = now.getTime() + FURTHEST_MS;
  if (startsAt && Date.parse(startsAt) > latest) details.push({ path: 'settings.startsAt', message: 'must be at most 366 days from now' });
  if (endsAt && Date.parse(endsAt) > latest) details.push({ path: 'settings.endsAt', message: 'must be at most 366 days from now' });
  if (endsAt && Date.parse(endsAt) <= now.getTime()) details.push({ path: 'settings.endsAt', message: 'must be in the future' });
  if (startsAt && endsAt && endsAt <= startsAt) details.push({ path: 'settings.endsAt', message: 'must be after startsAt' });
  return details.length > 0 ? new AppError('VALIDATION_FAILED', { details }) : undefined;
}

/** When the room opens; null: it is open. */
export function opensAt(room: WithSettings): Date | null {
  const { startsAt, joinBefore } = settingsOf(room);
  return startsAt === null ? null : new Date(Date.parse(startsAt) - joinBefore * 1000);
}

/** The same for a role. Who may start a recording prepares the lesson, and is never held back. */
export const opensAtFor = (room: WithSettings, role: Role): Date | null => (ROLE_PERMISSIONS[role].startRecording ? null : opensAt(room));

/** When the class ends for everyone; null: never, or not known before the first join. */
export function scheduledEnd({ startedAt, ...room }: Started): Date | null {
  const { startsAt, endsAt, maxDuration } = settingsOf(room);
  const ends = endsAt ? [Date.parse(endsAt)] : [];
  if (maxDuration && startedAt) ends.push(Math.max(startedAt.getTime(), startsAt ? Date.parse(startsAt) : 0) + maxDuration * 1000);
  return ends.length > 0 ? new Date(smallestOf(ends)) : null;
}

/** When the lesson is over as far as that is known before it: no earlier than its start. Null: without a schedule. */
export function plannedEnd(room: WithSettings): Date | null {
  const { startsAt, endsAt, maxDuration } = settingsOf(room);
  if (endsAt) return new Date(endsAt);
  return startsAt ? new Date(Date.parse(startsAt) + (maxDuration ?? 0) * 1000) : null;
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
