import { z } from 'zod';
import { defineOperation } from '../kernel/operation.js';
import { ROOM, STUDENT, TEACHER } from '../kernel/samples.js';
import { role, roomId, shownText, text, timestamp, uid } from '../kernel/ids.js';
import { KIB } from '../kernel/http.js';

export const participant = z.object({
  uid,
  name: shownText(256),
  role,
  photoURL: z
    .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
    .max(2048)
    .nullish(),
});
export type Participant = z.infer<typeof participant>;

export const customization = z
  .object({
    showLobby: z
      .boolean()
      .optional()
      .describe(
        'Begin with a lobby, where people see and hear themselves; `true` unless given. With `false` who may publish enters with camera and microphone on.',
      ),
    showVideoControls: z
      .boolean()
      .optional()
      .describe('Show the controls of camera, microphone, screen share and layout; `true` unless given.'),
    theme: text(64, 0)
      .optional()
      .meta({
        description:
          '`light`, `dark`, or `auto` for what the device has, which is also what it is unless given. Any other text is kept and treated as `auto`.',
        examples: ['light', 'dark', 'auto'],
      }),
  })
  .describe('How the classroom page looks. Unknown keys are ignored.');

export const maxParticipants = z.number().int().min(1).max(5000);
/** Seconds from the last leave to the end of the class. */
export const emptyTimeout = z.number().int().min(1).max(1800);

export const settings = z.object({
  maxParticipants: maxParticipants.default(1000),
  emptyTimeout: emptyTimeout.default(300),
  autoRecord: z.boolean().default(false),
});

const metadata = z.record(z.string(), z.unknown()).refine(fitsMetadata, 'must be at most 8 KiB as JSON');

function fitsMetadata(value: unknown): boolean {
  try {
    return new TextEncoder().encode(JSON.stringify(value)).length <= 8 * KIB;
  } catch {
    // The value is nested too deeply to be serialized.
    return false;
  }
}

export const createRoomBody = z.object({
  roomId,
  title: shownText(256),
  participant,
  roomDescription: text(4000, 0).optional(),
  metadata: metadata.optional(),
  customization: customization.default({}),
  settings: settings.prefault({}),
});

export const joinRoomBody = z.object({ participant });

export const joinResult = z.object({
  token: z.string(),
  iframeUrl: z.string(),
  /** The last time at which the token can be used to join. */
  expiresAt: timestamp,
});

export const createRoomResult = joinResult.extend({ room: z.object({ roomId: z.string(), sid: z.string() }) });

export const roomStatus = z.union([
  z.object({
    exists: z.literal(true),
    isActive: z.boolean(),
    roomId: z.string(),
    title: z.string(),
    participantCount: z.number().int(),
    hasTeacher: z.boolean(),
    isRecording: z.boolean(),
    createdAt: timestamp,
    startedAt: timestamp.nullable(),
  }),
  z.object({ exists: z.literal(false), isActive: z.literal(false), roomId: z.string() }),
]);
export type RoomStatus = z.infer<typeof roomStatus>;

export const endedRoom = z.object({
  roomId: z.string(),
  participantsDisconnected: z.number().int(),
  wasRecording: z.boolean(),
  endedAt: timestamp,
});

/** A blank id has its own message in the public contract. */
export const roomIdParams = z.object({
  roomId: z
    .string()
    .refine((value) => value.trim() !== '', { error: 'Missing roomId', abort: true })
    .pipe(roomId),
});

export const createRoom = defineOperation({
  operationId: 'createRoom',
  summary: 'Create room',
  description: 'Creates a room and returns the first participant’s token and link.',
  tag: 'Rooms',
  sdk: 'rooms.create',
  route: 'POST /v1/room/create',
  auth: 'organization',
  scope: 'rooms:write',
  requiresPlan: true,
  idempotency: 'owner',
  service: 'room',
  rpc: 'room.create',
  timeoutMs: 4_800,
  // A late execution would use up the roomId, and the caller’s next attempt would be refused.
  mayRunLate: false,
  body: createRoomBody,
  output: createRoomResult,
  message: 'Room created',
  errors: ['INSUFFICIENT_CREDITS', 'ROOM_ID_ALREADY_USED'],
  example: {
    body: {
      ...ROOM,
      title: 'Geometry, class 7b',
      participant: TEACHER,
      settings: { maxParticipants: 40, emptyTimeout: 300 },
      customization: { showLobby: false, theme: 'light' },
    },
  },
  links: { roomId: '$response.body#/data/room/roomId' },
});

export const joinRoom = defineOperation({
  operationId: 'joinRoom',
  summary: 'Join room',
  description: 'Returns a token and a link for a participant of a room.',
  tag: 'Rooms',
  sdk: 'rooms.join',
  route: 'POST /v1/room/:roomId/join',
  auth: 'organization',
  scope: 'rooms:write',
  service: 'room',
  rpc: 'room.join',
  params: roomIdParams,
  body: joinRoomBody,
  output: joinResult,
  message: 'Token created',
  errors: ['ROOM_NOT_FOUND', 'ROOM_ENDED', 'ROOM_FULL'],
  example: { params: ROOM, body: { participant: STUDENT } },
});

export const getRoomStatus = defineOperation({
  operationId: 'getRoomStatus',
  summary: 'Get room status',
  description: 'Returns whether a room exists and is live, and how many participants are connected.',
  tag: 'Rooms',
  sdk: 'rooms.status',
  route: 'GET /v1/room/:roomId/status',
  auth: 'organization',
  scope: 'rooms:read',
  service: 'room',
  rpc: 'room.status',
  params: roomIdParams,
  output: roomStatus,
  message: ({ exists }) => (exists ? 'Room status' : 'Room does not exist'),
  example: { params: ROOM },
});

export const deleteRoom = defineOperation({
  operationId: 'deleteRoom',
  summary: 'End room',
  description: 'Ends the class and disconnects everyone. The roomId cannot be used again.',
  tag: 'Rooms',
  sdk: 'rooms.end',
  route: 'DELETE /v1/room/:roomId',
  auth: 'organization',
  scope: 'rooms:write',
  service: 'room',
  rpc: 'room.end',
  params: roomIdParams,
  output: endedRoom,
  message: 'Room ended',
  errors: ['ROOM_NOT_FOUND', 'ROOM_ENDED'],
  example: { params: ROOM },
});
