import { z } from 'zod';
import { shown } from '../kernel/fields.js';
import { uid } from '../kernel/values.js';
import { byBackendOrInClass, defineOperation } from '../kernel/operation.js';
import { NAMES, ROOM, STUDENT } from '../kernel/reference.js';
import { roomIdParams } from './room.operations.js';
import { MAX_LISTED_WAITING, ownAdmission, waitingParticipant } from './waiting-room.js';

const uidParams = z.object({ uid: uid.describe('Your id of the participant.') });
const participantParams = roomIdParams.extend(uidParams.shape);

const decision = z.enum(['ADMIT', 'REFUSE']);
const body = z.object({
  decision: decision.describe(
    '`ADMIT` lets the participant in, now or when they come. `REFUSE` does not: their page says so. It can be changed.',
  ),
});

const decidedAdmission = z
  .object({ uid: shown.uid, state: z.enum(['ADMITTED', 'REFUSED']).describe('Whether the participant is admitted.') })
  .register(NAMES, { id: 'DecidedAdmission', description: 'Whether a participant is admitted to the class.' });
const admittedParticipants = z.object({ admitted: z.number().int().describe('How many were waiting.') });

const messageOf = (_: unknown, { body: { decision: decided } }: { body: z.infer<typeof body> }) =>
  decided === 'ADMIT' ? 'Participant admitted' : 'Participant refused';

export const getAdmission = defineOperation({
  operationId: 'getAdmission',
  summary: 'Get own admission',
  description: 'Returns whether the caller still waits. A page asks every few seconds: who does not ask for 75 seconds no longer waits.',
  tag: 'Class session',
  route: 'GET /v1/classroom/admission',
  auth: 'classroom',
  service: 'room',
  rpc: 'classroom.admission',
  output: ownAdmission,
  errors: ['ROOM_ENDED'],
  example: {},
});

export const listWaiting = defineOperation({
  operationId: 'listWaiting',
  summary: 'List waiting room',
  description: 'Returns the participants in the waiting room, the longest waiting first: the first 500.',
  tag: 'Participants',
  sdk: 'rooms.waiting.list',
  route: 'GET /v1/room/:roomId/waiting',
  auth: 'organization',
  scope: 'rooms:read',
  service: 'room',
  rpc: 'rooms.waiting',
  params: roomIdParams,
  output: z.object({ participants: z.array(waitingParticipant).max(MAX_LISTED_WAITING).describe('Who waits.') }),
  message: 'Waiting room',
  errors: ['ROOM_NOT_FOUND'],
  example: { params: ROOM },
});

export const decideAdmission = defineOperation({
  operationId: 'decideAdmission',
  summary: 'Admit or refuse',
  description: 'Admits a participant from the waiting room, also before they come, or refuses them.',
  tag: 'Participants',
  sdk: 'rooms.waiting.decide',
  route: 'POST /v1/room/:roomId/participants/:uid/admission',
  auth: 'organization',
  scope: 'rooms:write',
  service: 'room',
  rpc: 'rooms.decide-admission',
  params: participantParams,
  body,
  input: byBackendOrInClass({ uid, decision }),
  output: decidedAdmission,
  message: messageOf,
  errors: ['ROOM_NOT_FOUND', 'ROOM_ENDED', 'PARTICIPANT_NOT_FOUND', 'PARTICIPANT_ADMITTED'],
  inClass: {
    path: '/participants/:uid/admission',
    summary: 'Admit or refuse in class',
    description:
      'Admits a participant from the waiting room, or refuses them. Allowed for TEACHER, MODERATOR and ADMIN; a participant of a higher role can only be admitted.',
    tag: 'Class moderation',
  },
  example: { params: { ...ROOM, uid: STUDENT.uid }, body: { decision: 'ADMIT' } },
});

export const admitEveryone = defineOperation({
  operationId: 'admitEveryone',
  summary: 'Admit all',
  description: 'Admits everyone who is waiting.',
  tag: 'Participants',
  sdk: 'rooms.waiting.admitAll',
  route: 'POST /v1/room/:roomId/admit-all',
  auth: 'organization',
  scope: 'rooms:write',
  service: 'room',
  rpc: 'rooms.admit-everyone',
  params: roomIdParams,
  input: byBackendOrInClass({}),
  output: admittedParticipants,
  message: 'Everyone admitted',
  errors: ['ROOM_NOT_FOUND', 'ROOM_ENDED'],
  inClass: {
    path: '/admit-all',
    summary: 'Admit all in class',
    description: 'Admits everyone who is waiting. Allowed for TEACHER, MODERATOR and ADMIN.',
    tag: 'Class moderation',
  },
  example: { params: ROOM },
});
