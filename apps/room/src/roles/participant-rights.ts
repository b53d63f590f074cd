import { ROLE_PERMISSIONS, type Admission, type Grants, type Role } from '@classroom/contracts';
import { isOutside } from './admission.js';
import { permissionsOf } from './permissions.js';
import { consentEffects, type ConsentAnswer, type ConsentEffects, type ConsentRoom } from './recording-consent.js';

/** What a participant may do, according to our rows. */
export interface ParticipantRights extends Pick<ConsentEffects, 'isMuted' | 'isUnrecorded'> {
  role: Role;
  permissions: Grants;
  /** A student who has permission to speak. */
  maySpeak: boolean;
  /** Has no place in class, because consent or admission is missing. */
  isRefused: boolean;
}

/** The rights of a participant whom no class asks for consent, and of whom nothing but the role is said. */
export const unlimited = (role: Role): ParticipantRights => ({
  role,
  permissions: ROLE_PERMISSIONS[role],
  maySpeak: false,
  isMuted: false,
  isUnrecorded: false,
  isRefused: false,
});

export function rightsOf(
  room: ConsentRoom,
  participant: ConsentAnswer & { maySpeak: boolean; admission: Admission | null },
): ParticipantRights {
  const { isMuted, isUnrecorded, isRefused } = consentEffects(room, participant);
  const { role, permissions } = participant;
  // No teacher allows what the organization's backend forbids this participant.
  const maySpeak = participant.maySpeak && permissions?.publishAudio !== false;
  const isOut = isRefused || isOutside(room, participant);
  return { role, permissions: permissionsOf(room, participant), maySpeak, isMuted, isUnrecorded, isRefused: isOut };
}
