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
import { settingsOf, type WithSettings } from '../schema/settings.js';
import type { PresetRow } from './presets.repository.js';
import type { Room } from './room.js';

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
