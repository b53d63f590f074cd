import type { Role, WaitingRoom } from '@classroom/contracts';
import { isOutside, isRoleWaiting } from './admission.js';

const ROLES: Role[] = ['STUDENT', 'MODERATOR', 'TEACHER', 'ADMIN'];
const waitingIn = (waitingRoom: WaitingRoom) => ROLES.filter((role) => isRoleWaiting({ settings: { waitingRoom } }, role));

it('makes students wait, or everyone except admins', () => {
  expect(waitingIn('OFF')).toEqual([]);
  expect(waitingIn('STUDENTS')).toEqual(['STUDENT']);
  expect(waitingIn('ALL')).toEqual(['STUDENT', 'MODERATOR', 'TEACHER']);
});

it('leaves outside who is not admitted, as long as the class has a waiting room', () => {
  const outside = (waitingRoom: WaitingRoom, admission: 'WAITING' | 'ADMITTED' | 'REFUSED' | null) =>
    isOutside({ settings: { waitingRoom } }, { role: 'STUDENT', admission });
  expect((['WAITING', 'REFUSED', null] as const).map((admission) => outside('STUDENTS', admission))).toEqual([true, true, true]);
  expect(outside('STUDENTS', 'ADMITTED')).toBe(false);
  expect(outside('OFF', 'REFUSED')).toBe(false);
});
