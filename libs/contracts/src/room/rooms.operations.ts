import { z } from 'zod';
import { csvMarkQuery, cursor, isCsv, queryIntegerOr, shown } from '../kernel/fields.js';
import { byBackendOrInClass, defineOperation } from '../kernel/operation.js';
import { NAMES, ROOM, STUDENT, TEACHER } from '../kernel/reference.js';
import { instant, organizationId, pageOf, role, roomId, text, timestamp, uid } from '../kernel/values.js';
import { roomDetails } from './class-state.js';
import { changedRole, removedParticipant } from './classroom.operations.js';
import { changeRoomBody, mutedParticipant, muteSource } from './interaction.operations.js';
import { roomIdParams } from './room.operations.js';
import { roomSettings } from './room-settings.js';
import { shownCustomization } from './class-page.js';

/** What a backend reads and does with its rooms and their participants, in addition to holding a class. */

/** `created`: no participant has joined yet. `live`: the class is running. `finished`: the class is over and cannot be resumed. */
export const roomState = z.enum(['created', 'live', 'finished']);

const room = z.object({
  roomId: shown.roomId,
  sid: shown.sid,
  title: shown.title,
  status: roomState.describe(
    '`created`: no participant has joined yet. `live`: the class is running. `finished`: it is over and cannot be resumed.',
  ),
  participantCount: shown.participantCount,
  hasTeacher: shown.hasTeacher,
  isRecording: shown.isRecording,
  createdAt: shown.createdAt,
  startedAt: shown.startedAt,
  endedAt: shown.endedAt,
});

/** Names of teachers in a list of rooms. */
export const MAX_LISTED_TEACHERS = 3;

export const listedRoom = room
  .extend({
    startsAt: timestamp.nullable().optional().describe('When the class is planned to start; null if it has no time.'),
    teachers: z
      .array(z.string())
      .max(MAX_LISTED_TEACHERS)
      .optional()
      .describe(`Names of the teachers for whom a token was created, at most ${MAX_LISTED_TEACHERS}.`),
    totalParticipants: z.number().int().optional().describe('Number of participants who joined.'),
  })
  .register(NAMES, { id: 'Room', description: 'A class, with its state.' });

export const roomPage = z.object({
  rooms: z.array(listedRoom).max(100).describe('The rooms, newest first.'),
  nextCursor: shown.nextCursor,
});

/** A day (UTC) or a timestamp. */
const moment = z.union([z.iso.date(), instant], { error: 'must be a date (YYYY-MM-DD) or a timestamp' });

export const roomFilters = {
  status: roomState.optional().describe('Only rooms in this state. Default: all.'),
  startDate: moment.optional().describe('Only rooms created on or after this day (UTC), or at or after this instant.'),
  endDate: moment.optional().describe('Only rooms created up to the end of this day (UTC), or up to and including this instant.'),
  startedFrom: moment.optional().describe('Only rooms whose class began on or after this day (UTC), or at or after this instant.'),
  startedTo: moment
    .optional()
    .describe('Only rooms whose class began up to the end of this day (UTC), or up to and including this instant.'),
  title: text(256)
    .optional()
    .describe('Only rooms whose title contains this text, ignoring case, accents and width of characters; 1 to 256 characters.'),
};

export const listRooms = defineOperation({
  operationId: 'listRooms',
  summary: 'List rooms',
  description:
    'Returns the organization’s rooms, newest first, as JSON or CSV. Filters: status, date of creation, start of the class, title.',
  tag: 'Rooms',
  sdk: 'rooms.list',
  route: 'GET /v1/rooms',
  auth: 'organization',
  scope: 'rooms:read',
  dashboardRole: 'MEMBER',
  audit: 'required',
  auditIf: isCsv,
  service: 'room',
  rpc: 'rooms.list',
  hasOwnHandler: true,
  query: z.object({
    ...roomFilters,
    cursor: cursor,
    limit: queryIntegerOr(20, { min: 1, max: 100 }).describe('Rooms per page, 1 to 100. Default: 20.'),
    export: z
      .enum(['csv', 'json'])
      .default('json')
      .describe('`csv` returns all rooms as a file and ignores `cursor` and `limit`. Default: `json`.'),
    bom: csvMarkQuery,
  }),
  input: z.object({
    organizationId,
    ...roomFilters,
    cursor: z.string().optional(),
    limit: z.number().int().min(1).max(100),
  }),
  output: roomPage,
  produces: ['application/json', 'text/csv'],
  message: 'Rooms',
  example: { query: { limit: 20 } },
});

export const wholeRoom = room
  .extend({
    roomDescription: shown.roomDescription,
    metadata: shown.metadata,
    customization: shownCustomization.describe('How the class page looks.'),
    settings: roomSettings.describe('The settings of the room.'),
    rosterSize: z
      .number()
      .int()
      .describe('Number of people on the roster, who are in *Get attendance* from the start of the lesson; 0: no roster.'),
    endReason: z
      .string()
      .nullable()
      .describe(
        'Why the class ended: `deleted` by your backend, `class_ended` by a participant, `empty` for `emptyTimeout`, `schedule` for `endsAt` or `maxDuration`, `budget` for a budget with `endClass`, `unused`: no participant came. More may be added. Null before the end.',
      ),
  })
  .register(NAMES, { id: 'WholeRoom', description: 'A class with everything that was given for it, and what happened.' });

export const getRoom = defineOperation({
  operationId: 'getRoom',
  summary: 'Get room',
  description:
    'Returns everything that was given for a room, and what happened. Also works after the class. To poll, use *Get room status*.',
  tag: 'Rooms',
  sdk: 'rooms.get',
  route: 'GET /v1/room/:roomId',
  auth: 'organization',
  scope: 'rooms:read',
  dashboardRole: 'MEMBER',
  service: 'room',
  rpc: 'rooms.get',
  params: roomIdParams,
  output: wholeRoom,
  message: 'Room',
  errors: ['ROOM_NOT_FOUND'],
  example: { params: ROOM },
});

export const changedRoom = roomDetails
  .extend({
    metadata: shown.metadata,
    ...roomSettings.shape,
  })
  .register(NAMES, { id: 'ChangedRoom', description: 'What a room can be changed in, after a change.' });
export type ChangedRoom = z.infer<typeof changedRoom>;

export const changeRoom = defineOperation({
  operationId: 'changeRoom',
  summary: 'Update room',
  description: 'Changes what was given for a room, before or during the class. Omitted fields stay as they are.',
  tag: 'Rooms',
  sdk: 'rooms.change',
  route: 'PATCH /v1/room/:roomId',
  auth: 'organization',
  scope: 'rooms:write',
  service: 'room',
  rpc: 'rooms.change',
  params: roomIdParams,
  body: changeRoomBody,
  input: z.object({ organizationId, roomId, change: changeRoomBody }),
  toInput: ({ params, body }) => ({ ...params, change: body }),
  output: changedRoom,
  message: 'Room changed',
  errors: ['ROOM_NOT_FOUND', 'ROOM_ENDED'],
  example: { params: ROOM, body: { title: 'Geometry: right triangles' } },
});

export const roomParticipant = z
  .object({
    uid: shown.uid,
    name: shown.name,
    role: role.describe('Role in the room.'),
    photoURL: shown.photoURL,
    isConnected: z.boolean().describe('Whether the participant is connected now.'),
    joinedAt: timestamp.nullable().describe('When the current connection began, otherwise the latest; null if there never was one.'),
    leftAt: timestamp.nullable().describe('When the latest connection ended; null while connected, or if there never was one.'),
    removedAt: timestamp
      .nullable()
      .describe('When the participant was last removed: earlier tokens no longer admit them. Null if they never were.'),
  })
  .register(NAMES, { id: 'Participant', description: 'A person for whom a token of the room was created.' });

export const participantPage = z.object({
  participants: pageOf(roomParticipant).describe('Everyone for whom a token was created.'),
  nextCursor: shown.nextCursor,
});

export const listParticipants = defineOperation({
  operationId: 'listParticipants',
  summary: 'List participants',
  description: 'Returns everyone for whom a token was created, and whether they are connected now. Also works after the class.',
  tag: 'Participants',
  sdk: 'rooms.participants.list',
  route: 'GET /v1/room/:roomId/participants',
  auth: 'organization',
  scope: 'rooms:read',
  dashboardRole: 'MEMBER',
  service: 'room',
  rpc: 'rooms.participants',
  params: roomIdParams,
  query: z.object({
    connected: z.enum(['true', 'false']).optional().describe('`true`: only connected participants. `false`: only others. Default: all.'),
    cursor: z.string().max(512).optional().describe('`nextCursor` of the previous page, at most 512 characters. Default: the first page.'),
    limit: queryIntegerOr(100, { min: 1, max: 200 }).describe('Participants per page, 1 to 200. Default: 100.'),
  }),
  input: z.object({ organizationId, roomId, isConnected: z.boolean().optional(), cursor: z.string().optional(), limit: z.number().int() }),
  toInput: ({ params, query: { connected, ...page } }) => ({
    ...params,
    ...page,
    isConnected: connected === undefined ? undefined : connected === 'true',
  }),
  output: participantPage,
  message: 'Participants',
  errors: ['ROOM_NOT_FOUND'],
  example: { params: ROOM },
});

const participantParams = roomIdParams.extend({ uid: uid.describe('Your id of the participant.') });

export const getParticipant = defineOperation({
  operationId: 'getParticipant',
  summary: 'Get participant',
  description: 'Returns one participant of a room, and whether they are connected now. Also works after the class.',
  tag: 'Participants',
  sdk: 'rooms.participants.get',
  route: 'GET /v1/room/:roomId/participants/:uid',
  auth: 'organization',
  scope: 'rooms:read',
  service: 'room',
  params: participantParams,
  output: roomParticipant,
  message: 'Participant',
  errors: ['ROOM_NOT_FOUND', 'PARTICIPANT_NOT_FOUND'],
  example: { params: { ...ROOM, uid: STUDENT.uid } },
});

export const removeParticipant = defineOperation({
  operationId: 'removeParticipant',
  summary: 'Remove participant',
  description: 'Disconnects a participant and revokes their tokens. A token created later admits them again.',
  tag: 'Participants',
  sdk: 'rooms.participants.remove',
  route: 'POST /v1/room/:roomId/participants/:uid/remove',
  auth: 'organization',
  scope: 'rooms:write',
  audit: 'recorded',
  service: 'room',
  rpc: 'rooms.remove-participant',
  params: participantParams,
  input: byBackendOrInClass({ uid }),
  output: removedParticipant,
  message: 'Participant removed',
  errors: ['ROOM_NOT_FOUND', 'ROOM_ENDED', 'PARTICIPANT_NOT_FOUND'],
  inClass: {
    path: '/participants/:uid/remove',
    summary: 'Remove participant in class',
    description:
      'Disconnects a participant and revokes their tokens. Allowed for TEACHER, MODERATOR and ADMIN; not a participant of a higher role.',
    tag: 'Class moderation',
  },
  example: { params: { ...ROOM, uid: STUDENT.uid } },
});

export const muteParticipant = defineOperation({
  operationId: 'muteParticipant',
  summary: 'Mute participant',
  description: 'Mutes a track of a participant. Only the participant can unmute it.',
  tag: 'Participants',
  sdk: 'rooms.participants.mute',
  route: 'POST /v1/room/:roomId/participants/:uid/mute',
  auth: 'organization',
  scope: 'rooms:write',
  service: 'room',
  rpc: 'rooms.mute-participant',
  params: participantParams,
  body: z.object({ source: muteSource.default('microphone').describe('The track to mute. Default: `microphone`.') }).prefault({}),
  input: byBackendOrInClass({ uid, source: muteSource.default('microphone') }),
  output: mutedParticipant,
  message: 'Participant muted',
  errors: ['ROOM_NOT_FOUND', 'ROOM_ENDED', 'PARTICIPANT_NOT_FOUND'],
  inClass: {
    path: '/participants/:uid/mute',
    summary: 'Mute participant in class',
    description: 'Mutes a track of a participant; only the participant can unmute it. Allowed for TEACHER, MODERATOR and ADMIN.',
    tag: 'Class moderation',
  },
  example: { params: { ...ROOM, uid: TEACHER.uid }, body: { source: 'microphone' } },
});

export const changeRole = defineOperation({
  operationId: 'changeRole',
  summary: 'Change role',
  description: 'Changes the role of a participant immediately. The new role overrides the one in their token.',
  tag: 'Participants',
  sdk: 'rooms.participants.changeRole',
  route: 'PATCH /v1/room/:roomId/participants/:uid',
  auth: 'organization',
  scope: 'rooms:write',
  service: 'room',
  rpc: 'rooms.change-role',
  params: participantParams,
  body: z.object({ role: role.describe('The new role.') }),
  input: byBackendOrInClass({ uid, role }),
  output: changedRole,
  message: 'Role changed',
  errors: ['ROOM_NOT_FOUND', 'ROOM_ENDED', 'PARTICIPANT_NOT_FOUND'],
  inClass: {
    path: '/participants/:uid',
    summary: 'Change role in class',
    description:
      'Changes the role of a participant immediately. Allowed for TEACHER, MODERATOR and ADMIN, for a participant of the same or a lower role, and up to the caller’s own role.',
    tag: 'Class moderation',
    audit: 'recorded',
  },
  example: { params: { ...ROOM, uid: STUDENT.uid }, body: { role: 'MODERATOR' } },
});
