import { z } from 'zod';
import { shown } from '../kernel/fields.js';
import { timestamp } from '../kernel/values.js';
import { NAMES } from '../kernel/reference.js';

/** Who waits before the class until they are admitted. */
export const WAITING_ROOMS = ['OFF', 'STUDENTS', 'ALL'] as const;

export const waitingRoom = z.enum(WAITING_ROOMS);
export type WaitingRoom = z.infer<typeof waitingRoom>;

export const WAITING_ROOM =
  'Who waits until they are admitted. `OFF`: no participant. `STUDENTS`: students; a teacher, moderator, admin or your backend admits them. `ALL`: everyone except admins. Who waits gets nothing of the class, takes no place and costs nothing.';

export const shownWaitingRoom = waitingRoom.meta({ 'x-extensible': true }).describe(WAITING_ROOM);

const admission = z.enum(['WAITING', 'ADMITTED', 'REFUSED']);
export type Admission = z.infer<typeof admission>;

const WAITING_SINCE = 'When the participant began to wait.';

/** People in an answer at most: it is a part of one NATS message. */
export const MAX_LISTED_WAITING = 500;

export const waitingParticipant = z
  .object({ uid: shown.uid, name: shown.name, role: shown.role, waitingSince: timestamp.describe(WAITING_SINCE) })
  .register(NAMES, { id: 'WaitingParticipant', description: 'A participant in the waiting room, whose page is open.' });
export type WaitingParticipant = z.infer<typeof waitingParticipant>;

export const ownAdmission = z
  .object({
    state: admission
      .meta({ 'x-extensible': true })
      .describe('`WAITING`: ask again. `ADMITTED`: open the session again. `REFUSED`: the participant is not admitted.'),
    waitingSince: timestamp.nullable().describe(`${WAITING_SINCE} Null if they never did.`),
  })
  .register(NAMES, { id: 'OwnAdmission', description: 'Whether the caller still waits.' });
export type OwnAdmission = z.infer<typeof ownAdmission>;
