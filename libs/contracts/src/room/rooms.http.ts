import { z } from 'zod';
import { defineEndpoint, envelope } from '../kernel/http.js';
import { instant, role, text, timestamp, uid } from '../kernel/ids.js';
import { queryIntegerOr } from '../kernel/query.js';
import { roomDetails } from './class-state.js';
import { removedParticipant } from './classroom.http.js';
import { changeRoomBody, mutedParticipant, muteSource } from './interaction.http.js';
import { roomIdParams } from './room.http.js';

/** What a backend sees and does of its rooms and of the people in them, beside holding a class. */

/** `created`: nobody has come yet; `live`: the class runs; `finished`: it is over for good. */
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

/** A day (UTC) or an instant. */
const moment = z.union([z.iso.date(), instant], { error: 'must be a date (YYYY-MM-DD) or a timestamp' });

export const roomFilters = {
  status: roomState.optional(),
  /** Rooms made at or after it. */
  startDate: moment.optional(),
  /** Rooms made before the end of that day, or up to that instant. */
  endDate: moment.optional(),
  /** Part of the title, in any case. */
  title: text(256).optional(),
};

export const listRooms = defineEndpoint({
  operationId: 'listRooms',
  summary: 'An organization’s rooms, newest first, by status, date of creation and title',
  method: 'GET',
  path: '/v1/rooms',
  auth: 'organization',
  query: z.object({
    ...roomFilters,
    cursor: z.string().max(256).optional(),
    limit: queryIntegerOr(20, { min: 1, max: 100 }),
  }),
  response: envelope(roomPage),
  errors: ['VALIDATION_FAILED', 'UNAUTHORIZED'],
});

const OF_ROOM = ['VALIDATION_FAILED', 'UNAUTHORIZED', 'ROOM_NOT_FOUND'] as const;
const OF_LIVE_ROOM = [...OF_ROOM, 'ROOM_ENDED'] as const;
const OF_PARTICIPANT = [...OF_LIVE_ROOM, 'PARTICIPANT_NOT_FOUND'] as const;

export const changeRoom = defineEndpoint({
  operationId: 'changeRoom',
  summary: 'Change a room’s title, description or limits, before or during the class',
  method: 'PATCH',
  path: '/v1/room/:roomId',
  auth: 'organization',
  params: roomIdParams,
  body: changeRoomBody,
  response: envelope(roomDetails),
  errors: OF_LIVE_ROOM,
});

export const roomParticipant = z.object({
  uid: z.string(),
  name: z.string(),
  role,
  photoURL: z.string().nullable(),
  isConnected: z.boolean(),
  /** Of the present connection, else of the latest; null where there never was one. */
  joinedAt: timestamp.nullable(),
  leftAt: timestamp.nullable(),
  /** No token from before this instant lets them in. */
  removedAt: timestamp.nullable(),
});

export const participantPage = z.object({ participants: z.array(roomParticipant), nextCursor: z.string().nullable() });

export const listParticipants = defineEndpoint({
  operationId: 'listParticipants',
  summary: 'Everyone a token was made for, with who is connected now; also after the class',
  method: 'GET',
  path: '/v1/room/:roomId/participants',
  auth: 'organization',
  params: roomIdParams,
  query: z.object({
    connected: z.enum(['true', 'false']).optional(),
    cursor: z.string().max(512).optional(),
    limit: queryIntegerOr(100, { min: 1, max: 200 }),
  }),
  response: envelope(participantPage),
  errors: OF_ROOM,
});

const participantParams = roomIdParams.extend({ uid });

export const removeRoomParticipant = defineEndpoint({
  operationId: 'removeRoomParticipant',
  summary: 'Put a participant out; a new token lets them in again, no older one does',
  method: 'POST',
  path: '/v1/room/:roomId/participants/:uid/remove',
  auth: 'organization',
  params: participantParams,
  response: envelope(removedParticipant),
  errors: OF_PARTICIPANT,
});

export const muteRoomParticipant = defineEndpoint({
  operationId: 'muteRoomParticipant',
  summary: 'Mute what a participant publishes; only they can turn it on again',
  method: 'POST',
  path: '/v1/room/:roomId/participants/:uid/mute',
  auth: 'organization',
  params: participantParams,
  body: z.object({ source: muteSource.default('microphone') }).prefault({}),
  response: envelope(mutedParticipant),
  errors: [...OF_PARTICIPANT, 'SERVICE_UNAVAILABLE'],
});

export const changedRole = z.object({ uid: z.string(), role });

export const changeParticipantRole = defineEndpoint({
  operationId: 'changeParticipantRole',
  summary: 'Give a participant another role, at once, whatever their token says',
  method: 'PATCH',
  path: '/v1/room/:roomId/participants/:uid',
  auth: 'organization',
  params: participantParams,
  body: z.object({ role }),
  response: envelope(changedRole),
  errors: OF_PARTICIPANT,
});
