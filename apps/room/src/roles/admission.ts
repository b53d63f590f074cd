import { ROLE_PERMISSIONS, type Admission, type Role } from '@classroom/contracts';
import { settingsOf, type WithSettings } from '../schema/settings.js';

/** Whether people with this role wait until they are admitted. */
export function isRoleWaiting(room: WithSettings, role: Role): boolean {
  const { waitingRoom } = settingsOf(room);
  if (waitingRoom === 'OFF' || role === 'ADMIN') return false;
  return waitingRoom === 'ALL' || !ROLE_PERMISSIONS[role].manageParticipants;
}

/** Whether the participant has no place in class yet: the role waits, and they were not admitted. */
export const isOutside = (room: WithSettings, { role, admission }: { role: Role; admission: Admission | null }): boolean =>
  admission !== 'ADMITTED' && isRoleWaiting(room, role);
