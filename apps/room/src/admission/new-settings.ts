import {
  changedSettings,
  DEFAULT_SETTINGS,
  NO_CONSENT_ASKED,
  type createRoom,
  type RoomSettings,
  type RpcInput,
} from '@classroom/contracts';
import type { PresetRow } from '../presets/presets.repository.js';
import { attendanceFor } from '../roster/attendance-for.js';

type Given = Pick<RpcInput<typeof createRoom>, 'settings' | 'roster' | 'organizationConsent' | 'organizationAttendance'>;

/** The settings of a new room: what the request gives, otherwise the preset, otherwise the organization, otherwise the defaults. */
export function newSettings(given: Given, preset: PresetRow | undefined): RoomSettings {
  const { settings, roster, organizationConsent: consent = NO_CONSENT_ASKED, organizationAttendance: attendance = null } = given;
  const base = changedSettings({ ...DEFAULT_SETTINGS, consent, attendance }, preset?.settings ?? {});
  return changedSettings(base, { ...settings, attendance: attendanceFor(roster, settings.attendance) });
}
