import type { Role } from '@classroom/contracts';

/** What a participant may do by our rows. */
export interface Right {
  role: Role;
  /** A student who was given the word. */
  maySpeak: boolean;
}
