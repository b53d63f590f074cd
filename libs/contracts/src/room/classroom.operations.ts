import { z } from 'zod';
import { defineOperation } from '../kernel/operation.js';
import { timestamp, uid } from '../kernel/ids.js';
import { defineEndpoint, envelope } from '../kernel/http.js';
import { endedRoom } from './room.operations.js';

/** What a role may do, for display in the page. The server still decides from its own rows. */
export const permissions = z.object({
  publish: z.boolean(),
  shareScreen: z.boolean(),
  manageParticipants: z.boolean(),
  startRecording: z.boolean(),
  stopRecording: z.boolean(),
  endClass: z.boolean(),
  changeRoom: z.boolean(),
  managePolls: z.boolean(),
});
export type Permissions = z.infer<typeof permissions>;

export const roomSession = z.object({
  livekitUrl: z.string(),
  livekitToken: z.string(),
  /** Bearer token for the other endpoints under /v1/classroom. To renew it, call this endpoint with it. */
  classroomToken: z.string(),
  expiresAt: timestamp,
  room: z.object({
    roomId: z.string(),
    sid: z.string(),
    title: z.string(),
    roomDescription: z.string().nullable(),
    startedAt: timestamp.nullable(),
    maxParticipants: z.number().int(),
    emptyTimeout: z.number().int(),
    customization: z.object({
      showLobby: z.boolean(),
      showVideoControls: z.boolean(),
      theme: z.enum(['light', 'dark', 'auto']),
    }),
  }),
  /** The participants who are already connected: their number, and the names of some of them, teachers first. */
  present: z.object({ count: z.number().int(), names: z.array(z.string()) }),
  participant: z.object({ uid: z.string(), name: z.string(), role: z.string(), photoURL: z.string().nullable() }),
  /** What the role allows. A student who is allowed to speak publishes a microphone in addition. */
  permissions,
});
export type RoomSession = z.infer<typeof roomSession>;

export const classroomSession = roomSession.extend({
  branding: z.object({
    logoUrl: z.string().nullable(),
    primaryColor: z.string().nullable(),
    accentColor: z.string().nullable(),
  }),
  /** Domains that may embed the page and receive its events. */
  verifiedDomains: z.array(z.string()),
});

export const openClassroomSession = defineEndpoint({
  operationId: 'openClassroomSession',
  summary: 'Open classroom session',
  description:
    'Exchanges a join token for LiveKit’s URL and token, a classroom token, the room and the permissions. A classroom token renews the session.',
  tag: 'In class',
  route: 'POST /v1/classroom/session',
  auth: 'participant',
  response: envelope(classroomSession),
  errors: ['ROOM_ENDED', 'ROOM_FULL'],
});

export const endClass = defineOperation({
  operationId: 'endClass',
  summary: 'End class',
  description: 'Ends the class for everyone. Allowed for TEACHER and ADMIN.',
  tag: 'In class',
  route: 'POST /v1/classroom/end',
  auth: 'classroom',
  service: 'room',
  rpc: 'classroom.end-class',
  output: endedRoom,
  message: 'Class ended',
  errors: ['FORBIDDEN', 'ROOM_ENDED'],
});

export const removedParticipant = z.object({ uid: z.string(), wasConnected: z.boolean() });

export const removeParticipant = defineOperation({
  operationId: 'removeParticipant',
  summary: 'Remove participant in class',
  description: 'Disconnects a participant and revokes their tokens. Allowed for TEACHER, MODERATOR and ADMIN.',
  tag: 'In class',
  route: 'POST /v1/classroom/participants/:uid/remove',
  auth: 'classroom',
  service: 'room',
  rpc: 'classroom.remove-participant',
  params: z.object({ uid }),
  output: removedParticipant,
  message: 'Participant removed',
  errors: ['FORBIDDEN', 'PARTICIPANT_NOT_FOUND', 'ROOM_ENDED'],
});
