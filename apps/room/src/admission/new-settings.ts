import {
  changedConsent,
  changedPermissions,
  NEW_CHAT,
  NEW_ROOM,
  NO_CONSENT_ASKED,
  type createRoom,
  type RpcInput,
} from '@classroom/contracts';
import type { PresetRow } from '../presets/presets.repository.js';

type Given = Pick<RpcInput<typeof createRoom>, 'settings' | 'customization' | 'organizationConsent'>;

/** The settings of a new room: what the request gives, otherwise the preset, otherwise the defaults; for consent, those of the organization. */
export function newSettings({ settings, customization, organizationConsent = NO_CONSENT_ASKED }: Given, preset: PresetRow | undefined) {
  const base = preset?.settings ?? {};
  return {
    ...NEW_ROOM,
    ...base,
    ...settings,
    chat: { ...NEW_CHAT, ...base.chat, ...settings.chat },
    permissions: changedPermissions(base.permissions ?? null, settings.permissions),
    consent: changedConsent(settings.consent, changedConsent(base.consent, organizationConsent)),
    customization: { ...preset?.customization, ...customization },
  };
}
