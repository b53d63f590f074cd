import type { Room } from '../api/queries.js';

export type ClassState = Room['status'] | 'prepared';

/** `prepared`: a teacher has opened the class before it starts. For the API it is live. */
export const classState = ({ status, startsAt }: Pick<Room, 'status' | 'startsAt'>, now = Date.now()): ClassState =>
  status === 'live' && startsAt && Date.parse(startsAt) > now ? 'prepared' : status;
