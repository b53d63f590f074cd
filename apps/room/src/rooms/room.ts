import { randomInt } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import {
  changedSettings,
  DEFAULT_SETTINGS,
  NO_CONSENT_ASKED,
  type AttendanceChanges,
  type createRoom,
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
