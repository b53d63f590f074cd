import {
  changedAttendance,
  changedConsent,
  changedPermissions,
  NEW_CHAT,
  NEW_ROOM,
  NO_CONSENT_ASKED,
  type createRoom,
  type RpcInput,
} from '@classroom/contracts';
import type { PresetRow } from '../presets/presets.repository.js';
import { attendanceFor } from '../roster/attendance-for.js';

type Given = Pick<RpcInput<typeof createRoom>, 'settings' | 'customization' | 'roster' | 'organizationConsent' | 'organizationAttendance'>;

/** The settings of a new room: what the request gives, otherwise the preset, otherwise the defaults; for consent and attendance, those of the organization. */
export function newSettings(given: Given, preset: PresetRow | undefined) {
  const { settings, customization, organizationConsent = NO_CONSENT_ASKED, organizationAttendance = null } = given;
  const base = preset?.settings ?? {};
  return {
    ...NEW_ROOM,
    ...base,
    ...settings,
    chat: { ...NEW_CHAT, ...base.chat, ...settings.chat },
    permissions: changedPermissions(base.permissions ?? null, settings.permissions),
    consent: changedConsent(settings.consent, changedConsent(base.consent, organizationConsent)),
    attendance: changedAttendance(
      attendanceFor(given.roster, settings.attendance),
      changedAttendance(base.attendance, organizationAttendance),
    ),
    customization: { ...preset?.customization, ...customization },
  };
}
