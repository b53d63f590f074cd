import { z } from 'zod';
import { cursor, queryIntegerOr, shown } from '../kernel/fields.js';
import { defineEndpoint, envelope } from '../kernel/http.js';
import { organizationId, roomId, timestamp, uid } from '../kernel/values.js';
import { NAMES, ROOM, TEACHER } from '../kernel/reference.js';
import { defineOperation } from '../kernel/operation.js';
import { defineRpc } from '../kernel/rpc.js';
import { countedEngagement, seconds } from './counted-engagement.js';
import { measuredMinute } from './measured-minute.js';
import { roomIdParams } from './room.operations.js';

const MAX_MINUTES_PER_REPORT = 30;
/** Minutes in one answer. */
export const MAX_MINUTES = 1_000;

export const reportMinutes = defineOperation({
  operationId: 'reportMinutes',
  summary: 'Report measurements',
  description:
    'Stores what the caller’s page measured, minute by minute, for *List engagement* and *Explain quality*. Also accepted within five minutes after the class. A minute that is reported again changes nothing; one of an unknown connection is ignored.',
  tag: 'Class session',
  route: 'POST /v1/classroom/minutes',
  auth: 'classroom',
  service: 'room',
  rpc: 'class.report-minutes',
  body: z.object({
    minutes: z
      .array(measuredMinute)
      .min(1)
      .max(MAX_MINUTES_PER_REPORT)
      .describe('The minutes, 1 to 30, with those that were not accepted before.'),
  }),
  output: z.object({ stored: z.number().int().describe('How many of them were new.') }),
  message: 'Minutes stored',
  errors: ['ROOM_ENDED'],
  example: {
    body: {
      minutes: [
        {
          connectionSid: 'PA_8fKq2LmN4pXy',
          startedAt: '2026-01-15T09:00:00.000Z',
          measuredMs: 60_000,
          talkMs: 12_400,
          cameraMs: 60_000,
          joinMs: 1_300,
          stats: { 'inbound-rtp': { packetsReceived: 3_000, packetsLost: 12 } },
        },
      ],
    },
  },
});

export const engagement = countedEngagement
  .extend({
    tutorQuestions: z.number().int().nullable().describe('Number of questions to the AI tutor; null if the AI service does not answer.'),
  })
  .register(NAMES, { id: 'Engagement', description: 'How a participant took part in a class.' });

export const engagementRpc = {
  page: defineRpc({
    service: 'room',
    rpc: 'rooms.engagement',
    input: z.object({ organizationId, roomId, cursor: z.string().optional(), limit: z.number().int().min(1).max(200) }),
    output: z.object({ sid: z.string(), participants: z.array(countedEngagement).max(200), nextCursor: z.string().nullable() }),
    errors: ['VALIDATION_FAILED', 'ROOM_NOT_FOUND'],
  }),
};

export const listEngagement = defineEndpoint({
  operationId: 'listEngagement',
  summary: 'List engagement',
  description:
    'Returns how everyone for whom a token was created took part: time in class, speech and camera as the class page measured them, hands, chat, reactions, poll answers and questions to the tutor. Works during the class and after it.',
  tag: 'Reports',
  sdk: 'rooms.engagement',
  route: 'GET /v1/room/:roomId/engagement',
  auth: 'organization',
  scope: 'reports:read',
  dashboardRole: 'MEMBER',
  audit: 'required',
  params: roomIdParams,
  query: z.object({ cursor, limit: queryIntegerOr(100, { min: 1, max: 200 }).describe('Participants per page, 1 to 200. Default: 100.') }),
  response: envelope(z.object({ participants: z.array(engagement).describe('The participants, by uid.'), nextCursor: shown.nextCursor })),
  errors: ['ROOM_NOT_FOUND'],
  example: { params: ROOM },
});

export const qualityCause = z
  .object({
    code: z
      .enum(['SLOW_JOIN', 'RECONNECTED', 'LOSS_RECEIVED', 'LOSS_SENT', 'ROUND_TRIP', 'JITTER', 'FREEZES'])
      .describe('What was wrong. More may be added.'),
    text: z.string().max(120).describe('The same in words, times in UTC: `High packet loss (12 %) from 10:04 to 10:09`.'),
    from: timestamp.describe('When it began.'),
    until: timestamp.describe('When it ended.'),
  })
  .register(NAMES, { id: 'QualityCause', description: 'Something that made the class worse for a participant.' });
export type QualityCause = z.infer<typeof qualityCause>;

const percent = (of: string) => z.number().nullable().describe(`Lost packets in percent of ${of}; null if there were none.`);
const mos = z
  .number()
  .nullable()
  .describe(
    'Mean opinion score of the sound that arrived, 1 to 4.4, estimated from loss, round trip and jitter by the E-model (ITU-T G.107); null if nothing arrived.',
  );

export const qualityMinute = z
  .object({
    startedAt: timestamp.describe('When the minute began.'),
    measuredSeconds: seconds('that were measured'),
    mos,
    receivedKbps: z.number().int().describe('Received media in kbit/s.'),
    sentKbps: z.number().int().describe('Sent media in kbit/s.'),
    lossPercent: percent('those that were sent to the participant'),
    sentLossPercent: percent('those that the participant sent'),
    roundTripMs: z.number().int().nullable().describe('Milliseconds to the media server and back; null if not measured.'),
    bufferMs: z
      .number()
      .int()
      .nullable()
      .describe('Milliseconds that media waited to be played evenly: what jitter cost. Null if not measured.'),
    freezes: z.number().int().describe('How often a video stood still.'),
    frozenSeconds: seconds('in which a video stood still'),
    reconnections: z.number().int().describe('How often the connection was lost.'),
  })
  .register(NAMES, { id: 'QualityMinute', description: 'The quality of a connection in one minute.' });
export type QualityMinute = z.infer<typeof qualityMinute>;

export const verdict = z.enum(['good', 'fair', 'poor']);
export type Verdict = z.infer<typeof verdict>;

export const participantQuality = z
  .object({
    uid: shown.uid,
    name: shown.name,
    role: shown.role,
    verdict: verdict
      .nullable()
      .describe('`good`: no cause was found. `poor`: a fifth of the minutes or more were bad. Null: nothing was measured.'),
    causes: z.array(qualityCause).max(50).describe('What was wrong, in the order of time: the first 50.'),
    mos: mos.describe('Mean of the minutes; null if nothing arrived.'),
    connections: z.number().int().describe('Number of connections.'),
    connectedSeconds: seconds('in class'),
    measuredSeconds: seconds('that were measured'),
    joinSeconds: z
      .number()
      .nullable()
      .describe('Seconds from pressing “Join” to being connected, at the first join; null if not measured.'),
    minutes: z.array(qualityMinute).max(MAX_MINUTES).describe('The minutes, oldest first: the last 1,000.'),
  })
  .register(NAMES, {
    id: 'ParticipantQuality',
    description: 'How well sound and picture of a class reached a participant, and why not better.',
  });
export type ParticipantQuality = z.infer<typeof participantQuality>;

export const explainQuality = defineOperation({
  operationId: 'explainQuality',
  summary: 'Explain quality',
  description:
    'Answers why a class was bad for a participant: a verdict, the causes in words, and each minute as the class page measured it. Works during the class and after it.',
  tag: 'Reports',
  sdk: 'rooms.participants.quality',
  route: 'GET /v1/room/:roomId/participants/:uid/quality',
  auth: 'organization',
  scope: 'reports:read',
  audit: 'required',
  service: 'room',
  rpc: 'rooms.quality',
  params: roomIdParams.extend({ uid: uid.describe('Your id of the participant.') }),
  output: participantQuality,
  message: 'Quality',
  errors: ['ROOM_NOT_FOUND', 'PARTICIPANT_NOT_FOUND'],
  example: { params: { ...ROOM, uid: TEACHER.uid } },
});
