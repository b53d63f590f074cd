import { ROLE_PERMISSIONS, type Admission, type Role, type WaitingRoom } from '@classroom/contracts';

/** The column of a room that decides who waits. */
export interface AdmissionRoom {
  waitingRoom: WaitingRoom;
}

/** Whether people with this role wait until they are admitted. */
export function isRoleWaiting({ waitingRoom }: AdmissionRoom, role: Role): boolean {
  if (waitingRoom === 'OFF' || role === 'ADMIN') return false;
  return waitingRoom === 'ALL' || !ROLE_PERMISSIONS[role].manageParticipants;
}

/** Whether the participant has no place in class yet: the role waits, and they were not admitted. */
export const isOutside = (room: AdmissionRoom, { role, admission }: { role: Role; admission: Admission | null }): boolean =>
  admission !== 'ADMITTED' && isRoleWaiting(room, role);
