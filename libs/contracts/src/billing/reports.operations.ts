import { z } from 'zod';
import { csvFormat, csvMark, csvMarkQuery, isCsv, shown } from '../kernel/fields.js';
import { NAMES, ROOM, TEACHER } from '../kernel/reference.js';
import { instant, pageOf, roomId, timestamp, uid } from '../kernel/values.js';
import { defineEndpoint, envelope } from '../kernel/http.js';
import { attendanceEvaluation, evaluatedLesson } from '../room/attendance-status.js';
import { roomIdParams } from '../room/room.operations.js';
import { roomState } from '../room/rooms.operations.js';

/** A calendar day or a full timestamp. In both cases its day in UTC counts. */
const day = z
  .union([z.iso.date(), instant], 'must be a date such as 2026-01-31')
  .transform((value) => new Date(value).toISOString().slice(0, 10));

/** Entries of a page: rooms, or sessions in one room. */
export const MAX_REPORTED_SESSIONS = 10;
/** The newest sessions in one of several rooms. */
export const SESSIONS_PER_GROUP = 10;

export const participantSessionsBody = z
  .object({
    uid: uid.describe('Your id of the participant.'),
    roomId: roomId.optional().describe('Limits the report to one room, which changes the form of the answer. Default: all rooms, grouped.'),
    startDate: day.optional().describe('First day (UTC), as a date or a timestamp. Default: today.'),
    endDate: day.optional().describe('Last day (UTC), inclusive; requires `startDate` and is not before it. Default: `startDate`.'),
    page: z.number().int().min(1).max(1_000_000).default(1).describe('Page, from 1. Default: 1.'),
    limit: z
      .number()
      .int()
      .min(1)
      .max(MAX_REPORTED_SESSIONS)
      .default(MAX_REPORTED_SESSIONS)
      .describe('Entries per page, 1 to 10: rooms, or sessions with `roomId`. Default: 10.'),
    export: z
      .enum(['csv', 'json'])
      .default('json')
      .describe('`csv` returns all sessions as a file and ignores `page` and `limit`. Default: `json`.'),
    format: csvFormat,
    bom: csvMark,
  })
  .superRefine((body, context) => {
    if (body.endDate && !body.startDate) {
      context.addIssue({ code: 'custom', path: ['startDate'], message: 'startDate is required when endDate is given' });
    } else if (body.endDate && body.startDate && body.endDate < body.startDate) {
      context.addIssue({ code: 'custom', path: ['endDate'], message: 'must not be before startDate' });
    }
  });

export const sessionRow = z
  .object({
    joinedAt: timestamp.describe('When the session began.'),
    leftAt: timestamp.nullable().describe('When it ended; null while it continues.'),
    duration: z.number().int().describe('Seconds, up to now while it continues.'),
    creditsConsumed: z
      .number()
      .describe('The session’s share of the credits, two decimals. For display: the sum is rounded once per room.'),
    ipAddress: z.string().optional().describe('The participant’s address, if known.'),
    isActive: z.boolean().describe('Whether the session continues.'),
    openedBy: z
      .string()
      .optional()
      .describe('The evidence that opened it: `webhook`, or `reconciler` for a list of connected participants. More may be added.'),
    closedBy: z
      .string()
      .nullable()
      .optional()
      .describe('The evidence that closed it: also `room_end`, the end of the class; null while it continues. More may be added.'),
  })
  .register(NAMES, { id: 'Session', description: 'One stay of a participant in a room, from join to leave.' });

const totals = {
  totalDuration: z.number().int().describe('Seconds of all sessions.'),
  totalCredits: z.number().int().describe('Credits of all sessions: minutes, summed and rounded up once.'),
  averageDuration: z.number().int().describe('Mean seconds per session.'),
};
const participant = z.object({
  uid: shown.uid,
  name: z.string().nullable().describe('The latest display name; null for an unknown uid.'),
  role: z.string().nullable().describe('The latest role; null for an unknown uid.'),
});
const summary = z.object({
  totalSessions: z.number().int().describe('Number of sessions.'),
  ...totals,
  roomsAttended: z.number().int().describe('Number of rooms.'),
  dateRange: z
    .object({ from: z.string().describe('First day, `YYYY-MM-DD`.'), to: z.string().describe('Last day, `YYYY-MM-DD`, inclusive.') })
    .describe('The days that the report covers, in UTC.'),
});

export const groupedSessions = z
  .object({
    participant: participant.describe('The participant.'),
    roomGroups: z
      .array(
        z.object({
          roomId: shown.roomId,
          roomTitle: shown.title,
          sessions: z.array(sessionRow).max(SESSIONS_PER_GROUP).describe(`The newest sessions in the room, at most ${SESSIONS_PER_GROUP}.`),
          ...totals,
          sessionCount: z.number().int().describe('Number of all sessions in the room.'),
        }),
      )
      .max(MAX_REPORTED_SESSIONS)
      .describe('One entry per room, newest first.'),
    summary: summary.describe('Totals over all rooms and pages.'),
    pagination: z
      .object({
        page: z.number().describe('Page, from 1.'),
        limit: z.number().describe('Rooms per page.'),
        totalRooms: z.number().describe('Number of all rooms.'),
        hasMore: z.boolean().describe('Whether there is a next page.'),
      })
      .describe('The page.'),
  })
  .register(NAMES, { id: 'SessionsByRoom', description: 'A participant’s sessions in all rooms, grouped by room.' });

export const roomSessions = z
  .object({
    participant: participant.describe('The participant.'),
    room: z
      .object({
        roomId: shown.roomId,
        roomTitle: z.string().nullable().describe('Title of the room; null if the room is unknown.'),
        ...totals,
      })
      .describe('The room, with the participant’s totals in it.'),
    sessions: z.array(sessionRow).max(MAX_REPORTED_SESSIONS).describe('The sessions, newest first.'),
    summary: summary.describe('Totals over all pages.'),
    pagination: z
      .object({
        page: z.number().describe('Page, from 1.'),
        limit: z.number().describe('Sessions per page.'),
        total: z.number().describe('Number of all sessions.'),
        hasMore: z.boolean().describe('Whether there is a next page.'),
      })
      .describe('The page.'),
  })
  .register(NAMES, { id: 'SessionsInRoom', description: 'A participant’s sessions in one room.' });

export const participantSessions = z.union([groupedSessions, roomSessions]);

export const attendance = z
  .object({
    roomId: shown.roomId,
    roomTitle: shown.title,
    status: z
      .enum(['live', 'finished'])
      .describe('`finished` after the class, otherwise `live`, also before the first participant joins; `state` distinguishes the two.'),
    state: roomState.meta({ 'x-extensible': true }).optional().describe('State of the room. More states may be added.'),
    startedAt: shown.startedAt,
    endedAt: shown.endedAt,
    classDuration: z.number().int().describe('Seconds from the first join to the end of the class, or to now.'),
    totalParticipants: z.number().int().describe('Number of participants who joined.'),
    participants: pageOf(
      z.object({
        uid: shown.uid,
        name: shown.name,
        role: shown.role,
        firstJoinedAt: timestamp.describe('When the participant first joined.'),
        lastLeftAt: timestamp.nullable().describe('When the participant last left; null while connected.'),
        duration: z.number().int().describe('Seconds in class, over all sessions.'),
        percentOfClass: z.number().describe('Share of `classDuration` in percent, one decimal.'),
        sessionCount: z.number().int().describe('Number of sessions: one more per rejoin.'),
        isPresent: z.boolean().describe('Whether the participant is connected now.'),
        evaluation: attendanceEvaluation
          .optional()
          .describe('The attendance by the policy of the class. Missing without `evaluation` of the class.'),
      }),
    ).describe('One entry per participant who joined.'),
    evaluation: z
      .object(evaluatedLesson)
      .optional()
      .describe('By what attendance is evaluated, from the start of the lesson. Missing before it, and if the class has no policy.'),
    neverJoined: pageOf(z.object({ uid: shown.uid, name: shown.name.nullable().describe('Name on the roster; null if there is none.') }))
      .optional()
      .describe('The people on the roster who never joined, all of them `ABSENT`. Missing without `evaluation`.'),
  })
  .register(NAMES, { id: 'Attendance', description: 'Who was in a class, and for how long.' });

export const getParticipantSessions = defineEndpoint({
  operationId: 'getParticipantSessions',
  summary: 'List participant sessions',
  description: 'Returns when a participant was in which class, as JSON or CSV.',
  tag: 'Reports',
  sdk: 'participants.sessions',
  route: 'POST /v1/participant/sessions',
  auth: 'organization',
  scope: 'reports:read',
  audit: 'required',
  requiresPlan: true,
  body: participantSessionsBody,
  response: envelope(participantSessions),
  produces: ['application/json', 'text/csv'],
  example: { body: { uid: TEACHER.uid } },
});

export const getAttendance = defineEndpoint({
  operationId: 'getAttendance',
  summary: 'Get attendance',
  description:
    'Returns for everyone who was in a class the first join, the last leave, the total time and the share of the class; with an attendance policy, also who was late, left early or was absent.',
  tag: 'Reports',
  sdk: 'rooms.attendance',
  route: 'GET /v1/room/:roomId/attendance',
  auth: 'organization',
  scope: 'reports:read',
  dashboardRole: 'MEMBER',
  audit: 'required',
  auditIf: isCsv,
  params: roomIdParams,
  query: z.object({
    export: z.enum(['csv', 'json']).default('json').describe('`csv` returns a file. Default: `json`.'),
    format: csvFormat,
    bom: csvMarkQuery,
  }),
  response: envelope(attendance),
  produces: ['application/json', 'text/csv'],
  errors: ['ROOM_NOT_FOUND'],
  example: { params: ROOM },
});
