import type { Role } from '@classroom/contracts';
import { consentEffects, type ConsentAnswer, type ConsentEffects, type ConsentRoom } from './recording-consent.js';

/** What a participant may do, according to our rows. */
export interface ParticipantRights extends Pick<ConsentEffects, 'isMuted' | 'isUnrecorded' | 'isRefused'> {
  role: Role;
  /** A student who has permission to speak. */
  maySpeak: boolean;
}

/** The rights of a participant whom no class asks for consent. */
export const unlimited = (role: Role): ParticipantRights => ({
  role,
  maySpeak: false,
  isMuted: false,
  isUnrecorded: false,
  isRefused: false,
});

export function rightsOf(room: ConsentRoom, participant: ConsentAnswer & { maySpeak: boolean }): ParticipantRights {
  const { isMuted, isUnrecorded, isRefused } = consentEffects(room, participant);
  return { role: participant.role, maySpeak: participant.maySpeak, isMuted, isUnrecorded, isRefused };
}
