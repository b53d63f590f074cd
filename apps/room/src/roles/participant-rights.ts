import type { Admission, Role } from '@classroom/contracts';
import { isOutside, type AdmissionRoom } from './admission.js';
import { consentEffects, type ConsentAnswer, type ConsentEffects, type ConsentRoom } from './recording-consent.js';

/** What a participant may do, according to our rows. */
export interface ParticipantRights extends Pick<ConsentEffects, 'isMuted' | 'isUnrecorded'> {
  role: Role;
  /** A student who has permission to speak. */
  maySpeak: boolean;
  /** Has no place in class, because consent or admission is missing. */
  isRefused: boolean;
}

/** The rights of a participant whom no class asks for consent. */
export const unlimited = (role: Role): ParticipantRights => ({
  role,
  maySpeak: false,
  isMuted: false,
  isUnrecorded: false,
  isRefused: false,
});

export function rightsOf(
  room: ConsentRoom & AdmissionRoom,
  participant: ConsentAnswer & { maySpeak: boolean; admission: Admission | null },
): ParticipantRights {
  const { isMuted, isUnrecorded, isRefused } = consentEffects(room, participant);
  const { role, maySpeak } = participant;
  return { role, maySpeak, isMuted, isUnrecorded, isRefused: isRefused || isOutside(room, participant) };
}
