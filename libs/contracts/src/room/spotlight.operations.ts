import { z } from 'zod';
import { shown } from '../kernel/fields.js';
import { uid } from '../kernel/values.js';
import { defineOperation } from '../kernel/operation.js';
import { STUDENT } from '../kernel/reference.js';

export const spotlightParticipant = defineOperation({
  operationId: 'spotlightParticipant',
  summary: 'Spotlight participant',
  description:
    'Shows a participant large on every page and in the recording, in place of any other, until it is taken back or the participant leaves. A shared screen stays in front. Allowed for TEACHER, MODERATOR and ADMIN.',
  tag: 'Class moderation',
  route: 'POST /v1/classroom/participants/:uid/spotlight',
  auth: 'classroom',
  service: 'room',
  rpc: 'class.spotlight',
  params: z.object({ uid: uid.describe('Your id of the participant.') }),
  body: z.object({ shown: z.boolean().describe('`true` shows the participant to everyone, `false` no longer.') }),
  output: z.object({
    uid: shown.uid,
    shown: z.boolean().describe('Whether the participant is shown to everyone; `false` also for who is not connected.'),
  }),
  message: ({ shown: isShown }) => (isShown ? 'Participant shown to everyone' : 'Participant not shown to everyone'),
  errors: ['ROOM_ENDED', 'FORBIDDEN', 'PARTICIPANT_NOT_FOUND'],
  example: { params: { uid: STUDENT.uid }, body: { shown: true } },
});
