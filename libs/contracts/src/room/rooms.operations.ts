import { z } from 'zod';
import { defineOperation } from '../kernel/operation.js';
import { ROOM, STUDENT, TEACHER } from '../kernel/samples.js';
import { instant, organizationId, role, roomId, text, timestamp, uid } from '../kernel/ids.js';
import { queryIntegerOr } from '../kernel/query.js';
import { roomDetails } from './class-state.js';
import { removedParticipant } from './classroom.operations.js';
import { changeRoomBody, mutedParticipant, muteSource } from './interaction.operations.js';
import { roomIdParams } from './room.operations.js';

/** What a backend reads and does with its rooms and their participants, in addition to holding a class. */

/** `created`: no participant has joined yet. `live`: the class is running. `finished`: the class is over and cannot be resumed. */
export const roomState = z.enum(['created', 'live', 'finished']);

export const listedRoom = z.object({
  roomId: z.string(),
  sid: z.string(),
  title: z.string(),
  status: roomState,
  participantCount: z.number().int(),
  hasTeacher: z.boolean(),
  isRecording: z.boolean(),
  createdAt: timestamp,
  startedAt: timestamp.nullable(),
  endedAt: timestamp.nullable(),
});

export const roomPage = z.object({ rooms: z.array(listedRoom), nextCursor: z.string().nullable() });

/** A day (UTC) or a timestamp. */
const moment = z.union([z.iso.date(), instant], { error: 'must be a date (YYYY-MM-DD) or a timestamp' });

export const roomFilters = {
  status: roomState.optional(),
  /** Rooms created at or after this time. */
  startDate: moment.optional(),
  /** Rooms created before the end of this day, or up to and including this instant. */
  endDate: moment.optional(),
  /** Part of the title, ignoring case. */
  title: text(256).optional(),
};

export const listRooms = defineOperation({
  operationId: 'listRooms',
  summary: 'List rooms',
  description: 'Returns the organization’s rooms, newest first. Filters: status, date of creation, title.',
  tag: 'Rooms',
  sdk: 'rooms.list',
  route: 'GET /v1/rooms',
  auth: 'organization',
  scope: 'rooms:read',
  service: 'room',
  rpc: 'rooms.list',
  query: z.object({
    ...roomFilters,
    cursor: z.string().max(256).optional(),
    limit: queryIntegerOr(20, { min: 1, max: 100 }),
  }),
  output: roomPage,
  message: 'Rooms',
  example: { query: { limit: 20 } },
});

export const changeRoom = defineOperation({
  operationId: 'changeRoom',
  summary: 'Update room',
  description: 'Changes title, description or limits of a room, before or during the class.',
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
  output: roomDetails,
  message: 'Room changed',
  errors: ['ROOM_NOT_FOUND', 'ROOM_ENDED'],
  example: { params: ROOM, body: { title: 'Geometry: right triangles' } },
});

export const roomParticipant = z.object({
  uid: z.string(),
  name: z.string(),
  role,
  photoURL: z.string().nullable(),
  isConnected: z.boolean(),
  /** Times of the current connection, otherwise of the latest; null if there never was one. */
  joinedAt: timestamp.nullable(),
  leftAt: timestamp.nullable(),
  /** Tokens issued before this time no longer admit the participant. */
  removedAt: timestamp.nullable(),
});

export const participantPage = z.object({ participants: z.array(roomParticipant), nextCursor: z.string().nullable() });

export const listParticipants = defineOperation({
  operationId: 'listParticipants',
  summary: 'List participants',
  description: 'Returns everyone for whom a token was created, and whether they are connected now. Also works after the class.',
  tag: 'Rooms',
  sdk: 'rooms.participants.list',
  route: 'GET /v1/room/:roomId/participants',
  auth: 'organization',
  scope: 'rooms:read',
  service: 'room',
  rpc: 'rooms.participants',
  params: roomIdParams,
  query: z.object({
    connected: z.enum(['true', 'false']).optional(),
    cursor: z.string().max(512).optional(),
    limit: queryIntegerOr(100, { min: 1, max: 200 }),
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

const participantParams = roomIdParams.extend({ uid });

export const getParticipant = defineOperation({
  operationId: 'getParticipant',
  summary: 'Get participant',
  description: 'Returns one participant of a room, and whether they are connected now. Also works after the class.',
  tag: 'Rooms',
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

export const removeRoomParticipant = defineOperation({
  operationId: 'removeRoomParticipant',
  summary: 'Remove participant',
  description: 'Disconnects a participant and revokes their tokens. A token created later admits them again.',
  tag: 'Rooms',
  sdk: 'rooms.participants.remove',
  route: 'POST /v1/room/:roomId/participants/:uid/remove',
  auth: 'organization',
  scope: 'rooms:write',
  service: 'room',
  rpc: 'rooms.remove-participant',
  params: participantParams,
  output: removedParticipant,
  message: 'Participant removed',
  errors: ['ROOM_NOT_FOUND', 'ROOM_ENDED', 'PARTICIPANT_NOT_FOUND'],
  example: { params: { ...ROOM, uid: STUDENT.uid } },
});

export const muteRoomParticipant = defineOperation({
  operationId: 'muteRoomParticipant',
  summary: 'Mute participant',
  description: 'Mutes a track of a participant. Only the participant can unmute it.',
  tag: 'Rooms',
  sdk: 'rooms.participants.mute',
  route: 'POST /v1/room/:roomId/participants/:uid/mute',
  auth: 'organization',
  scope: 'rooms:write',
  service: 'room',
  rpc: 'rooms.mute-participant',
  params: participantParams,
  body: z.object({ source: muteSource.default('microphone') }).prefault({}),
  output: mutedParticipant,
  message: 'Participant muted',
  errors: ['ROOM_NOT_FOUND', 'ROOM_ENDED', 'PARTICIPANT_NOT_FOUND'],
  example: { params: { ...ROOM, uid: TEACHER.uid }, body: { source: 'microphone' } },
});

export const changedRole = z.object({ uid: z.string(), role });

export const changeParticipantRole = defineOperation({
  operationId: 'changeParticipantRole',
  summary: 'Change role',
  description: 'Changes the role of a participant immediately. The new role overrides the one in their token.',
  tag: 'Rooms',
  sdk: 'rooms.participants.changeRole',
  route: 'PATCH /v1/room/:roomId/participants/:uid',
  auth: 'organization',
  scope: 'rooms:write',
  service: 'room',
  rpc: 'rooms.change-role',
  params: participantParams,
  body: z.object({ role }),
  output: changedRole,
  message: 'Role changed',
  errors: ['ROOM_NOT_FOUND', 'ROOM_ENDED', 'PARTICIPANT_NOT_FOUND'],
  example: { params: { ...ROOM, uid: STUDENT.uid }, body: { role: 'MODERATOR' } },
});
