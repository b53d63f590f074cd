import { z } from 'zod';
import { ROOM, TEACHER } from '../kernel/samples.js';
import { instant, roomId, timestamp, uid } from '../kernel/ids.js';
import { defineEndpoint, envelope } from '../kernel/http.js';
import { roomIdParams } from '../room/room.operations.js';
import { roomState } from '../room/rooms.operations.js';

/** A calendar day or a full timestamp. In both cases its day in UTC counts. */
const day = z
  .union([z.iso.date(), instant], 'must be a date such as 2026-01-31')
  .transform((value) => new Date(value).toISOString().slice(0, 10));

export const participantSessionsBody = z
  .object({
    uid,
    roomId: roomId.optional(),
    startDate: day.optional(),
    endDate: day.optional(),
    page: z.number().int().min(1).max(1_000_000).default(1),
    limit: z.number().int().min(1).max(10).default(10),
    export: z.enum(['csv', 'json']).default('json'),
  })
  .superRefine((body, context) => {
    if (body.endDate && !body.startDate) {
      context.addIssue({ code: 'custom', path: ['startDate'], message: 'startDate is required when endDate is given' });
    } else if (body.endDate && body.startDate && body.endDate < body.startDate) {
      context.addIssue({ code: 'custom', path: ['endDate'], message: 'must not be before startDate' });
    }
  });

export const sessionRow = z.object({
  joinedAt: timestamp,
  leftAt: timestamp.nullable(),
  duration: z.number().int(),
  creditsConsumed: z.number(),
  ipAddress: z.string().optional(),
  isActive: z.boolean(),
});

const totals = { totalDuration: z.number().int(), totalCredits: z.number().int(), averageDuration: z.number().int() };
const participant = z.object({ uid: z.string(), name: z.string().nullable(), role: z.string().nullable() });
const summary = z.object({
  totalSessions: z.number().int(),
  ...totals,
  roomsAttended: z.number().int(),
  dateRange: z.object({ from: z.string(), to: z.string() }),
});

export const groupedSessions = z.object({
  participant,
  roomGroups: z.array(
    z.object({
      roomId: z.string(),
      roomTitle: z.string(),
      sessions: z.array(sessionRow),
      ...totals,
      sessionCount: z.number().int(),
    }),
  ),
  summary,
  pagination: z.object({ page: z.number(), limit: z.number(), totalRooms: z.number(), hasMore: z.boolean() }),
});

export const roomSessions = z.object({
  participant,
  room: z.object({ roomId: z.string(), roomTitle: z.string().nullable(), ...totals }),
  sessions: z.array(sessionRow),
  summary,
  pagination: z.object({ page: z.number(), limit: z.number(), total: z.number(), hasMore: z.boolean() }),
});

export const participantSessions = z.union([groupedSessions, roomSessions]);

export const attendance = z.object({
  roomId: z.string(),
  roomTitle: z.string(),
  /** `live` also for a room that no participant has joined yet, as in the summary; `state` distinguishes the two. */
  status: z.enum(['live', 'finished']),
  state: roomState.meta({ 'x-extensible': true }).optional(),
  startedAt: timestamp.nullable(),
  endedAt: timestamp.nullable(),
  /** Seconds from the first join to the end of the class, or to now. */
  classDuration: z.number().int(),
  totalParticipants: z.number().int(),
  participants: z.array(
    z.object({
      uid: z.string(),
      name: z.string(),
      role: z.string(),
      firstJoinedAt: timestamp,
      /** Null while the participant is connected. */
      lastLeftAt: timestamp.nullable(),
      duration: z.number().int(),
      /** Percentage of the class duration, with one decimal. */
      percentOfClass: z.number(),
      sessionCount: z.number().int(),
      isPresent: z.boolean(),
    }),
  ),
});

export const getParticipantSessions = defineEndpoint({
  operationId: 'getParticipantSessions',
  summary: 'List participant sessions',
  description: 'Returns when a participant was in which class, as JSON or CSV.',
  tag: 'Usage and billing',
  sdk: 'participants.sessions',
  route: 'POST /v1/participant/sessions',
  auth: 'organization',
  scope: 'billing:read',
  requiresPlan: true,
  body: participantSessionsBody,
  response: envelope(participantSessions),
  produces: ['application/json', 'text/csv'],
  example: { body: { uid: TEACHER.uid } },
});

export const getAttendance = defineEndpoint({
  operationId: 'getAttendance',
  summary: 'Get attendance',
  description: 'Returns for everyone who was in a class the first join, the last leave, the total time and the share of the class.',
  tag: 'Usage and billing',
  sdk: 'rooms.attendance',
  route: 'GET /v1/room/:roomId/attendance',
  auth: 'organization',
  scope: 'billing:read',
  params: roomIdParams,
  query: z.object({ export: z.enum(['csv', 'json']).default('json') }),
  response: envelope(attendance),
  produces: ['application/json', 'text/csv'],
  errors: ['ROOM_NOT_FOUND'],
  example: { params: ROOM },
});
