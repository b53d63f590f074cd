import type { ListedParticipant } from './participant-list.repository.js';

export const toParticipant = ({ removedAt, joinedAt, leftAt, uid, name, role, photoURL }: ListedParticipant) => ({
  uid,
  name,
  role,
  photoURL,
  isConnected: joinedAt !== null && leftAt === null,
  joinedAt: joinedAt?.toISOString() ?? null,
  leftAt: leftAt?.toISOString() ?? null,
  removedAt: removedAt?.toISOString() ?? null,
});
