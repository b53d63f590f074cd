import type { Role } from '@classroom/contracts';

/** What a participant may do, according to our rows. */
export interface ParticipantRights {
  role: Role;
  /** A student who has permission to speak. */
  maySpeak: boolean;
}
