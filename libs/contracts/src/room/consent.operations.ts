import { z } from 'zod';
import { cursor, queryIntegerOr, shown } from '../kernel/fields.js';
import { timestamp } from '../kernel/values.js';
import { defineOperation } from '../kernel/operation.js';
import { NAMES, ROOM } from '../kernel/reference.js';
import { recordingConsent } from './consent-settings.js';
import { roomIdParams } from './room.operations.js';

const purpose = z.literal('recording');
const PURPOSE = 'What consent is about: `recording`.';

export const ownConsent = z
  .object({
    purpose: z.string().describe(PURPOSE),
    version: z.string().describe('Version of the text.'),
    text: z.string().describe('The question, plain text.'),
    ask: z.string().describe('When it is asked for: `join` or `recording`.'),
    without: z.string().describe('What happens without consent: `refuse`, `mute` or `hide`.'),
    state: z
      .enum(['REQUIRED', 'GRANTED', 'REFUSED'])
      .describe('`REQUIRED`: no answer to this version yet. `GRANTED`, `REFUSED`: the latest answer.'),
    isMuted: z.boolean().describe('Whether the caller may not publish now, because consent is missing.'),
  })
  .register(NAMES, { id: 'OwnConsent', description: 'The consent that a class asks a participant for, and the answer.' });
export type OwnConsent = z.infer<typeof ownConsent>;

export const answerConsent = defineOperation({
  operationId: 'answerConsent',
  summary: 'Answer consent',
  description:
    'Grants or refuses consent to recordings of the class. The latest answer counts, at once. Every change is kept as a record. Open the session again afterwards.',
  tag: 'Class session',
  route: 'POST /v1/classroom/consent',
  auth: 'participant',
  service: 'room',
  rpc: 'classroom.answer-consent',
  body: z.object({
    purpose: purpose.describe(PURPOSE),
    version: recordingConsent.shape.version.describe('Version of the text that was shown.'),
    granted: z.boolean().describe('`true` grants, `false` refuses or withdraws.'),
  }),
  output: ownConsent,
  message: (_, { body }) => (body.granted ? 'Consent granted' : 'Consent refused'),
  errors: ['ROOM_ENDED', 'CONSENT_NOT_ASKED'],
  example: { body: { purpose: 'recording', version: '2026-1', granted: true } },
});

export const consentRecord = z
  .object({
    uid: shown.uid,
    purpose: z.string().describe(PURPOSE),
    version: z.string().describe('Version of the text.'),
    textHash: z.string().describe('SHA-256 of the text in UTF-8, in hexadecimal.'),
    granted: z.boolean().describe('Whether consent was granted.'),
    answeredAt: timestamp.describe('When it was answered.'),
  })
  .register(NAMES, {
    id: 'ConsentRecord',
    description: 'One answer of a participant. An answer is never changed: a withdrawal is another one.',
  });

export const consentPage = z.object({
  consents: z.array(consentRecord).max(200).describe('The answers, oldest first.'),
  nextCursor: shown.nextCursor,
});

export const listConsents = defineOperation({
  operationId: 'listConsents',
  summary: 'List consents of room',
  description: 'Returns every answer to a question for consent in a room, oldest first. Also works after the class.',
  tag: 'Rooms',
  sdk: 'rooms.consents',
  route: 'GET /v1/room/:roomId/consents',
  auth: 'organization',
  scope: 'reports:read',
  dashboardRole: 'MEMBER',
  audit: 'required',
  service: 'room',
  rpc: 'rooms.consents',
  params: roomIdParams,
  query: z.object({ cursor, limit: queryIntegerOr(100, { min: 1, max: 200 }).describe('Answers per page, 1 to 200. Default: 100.') }),
  output: consentPage,
  message: 'Consents',
  errors: ['ROOM_NOT_FOUND'],
  example: { params: ROOM },
});
