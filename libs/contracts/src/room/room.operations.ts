import { z } from 'zod';
import { shown } from '../kernel/fields.js';
import { defineOperation, type OperationRequest } from '../kernel/operation.js';
import { NAMES, ROOM, STUDENT, TEACHER } from '../kernel/reference.js';
import { ownersKey } from '../kernel/caller.js';
import { instant, organizationId, presetName, role, roomId, shownText, text, timestamp, uid } from '../kernel/values.js';
import { KIB } from '../kernel/http.js';
import { FREE_FORM } from '../kernel/unknown-fields.js';
import { attendancePolicy, roster, type AttendancePolicy } from './attendance-settings.js';
import { participantPermissions } from './permission-settings.js';
import { consentSettings, type ConsentSettings } from './consent-settings.js';
import { newSettings, roomSettings } from './room-settings.js';
import { uiFlags } from './class-page.js';

export const participant = z.object({
  uid: uid.describe('Your id of the participant, 1 to 128 of `A-Z a-z 0-9 . _ : - @ | + = ~`. It must not begin with `EG_`.'),
  name: shownText(256).describe('Display name, 1 to 256 characters.'),
  role: role.describe('Role in the room. It decides what the participant may do.'),
  photoURL: z
    .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
    .max(2048)
    .nullish()
    .describe(
      'Address of a photo (http or https), at most 2,048 characters. Shown if it is a PNG, JPEG, GIF or WebP of at most 1 MiB. Default: none.',
    ),
  permissions: participantPermissions
    .optional()
    .describe(
      'Replaces what the role and the room allow; what is omitted stays as they say. The latest token of a participant counts, also for who is in class.',
    ),
  ui: uiFlags.optional(),
  ai: z
    .boolean()
    .optional()
    .describe('May use the AI tutor, where the class has it. The latest token of a participant counts. Default: `true`.'),
  notBefore: instant
    .optional()
    .describe('The token can be used from this time on, at most 366 days from now; earlier: `ROOM_NOT_OPEN`. Default: now.'),
  expiresIn: z
    .number()
    .int()
    .min(60)
    .max(86_400)
    .optional()
    .describe(
      'Seconds for which the token can be used to join, 60 to 86,400, from `notBefore` or now. Default: an hour; in a room with a schedule, until an hour after its end.',
    ),
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
  .describe('How the classroom page looks. Unknown keys are ignored.')
  .register(FREE_FORM, {});

export const metadata = z.record(z.string(), z.unknown()).refine(fitsMetadata, 'must be at most 8 KiB as JSON');

function fitsMetadata(value: unknown): boolean {
  try {
    return new TextEncoder().encode(JSON.stringify(value)).length <= 8 * KIB;
  } catch {
    // The value is nested too deeply to be serialized.
    return false;
  }
}

export const createRoomBody = z.object({
  roomId: roomId.describe(
    'Your id of the room, 1 to 128 of `A-Z a-z 0-9 . _ : -`. It can be used only once, also after the room has ended.',
  ),
  title: shownText(256).describe('Display title, 1 to 256 characters.'),
  participant: participant.describe('The first participant; the answer contains their token.'),
  roomDescription: text(4000, 0).optional().describe('Description, at most 4,000 characters. Default: none.'),
  metadata: metadata.optional().describe('Data of your own, at most 8 KiB as JSON. The tutor knows it. Default: none.'),
  customization: customization.default({}),
  settings: newSettings
    .prefault({})
    .describe(
      'Limits, permissions, recording, chat, admission and consent settings, the budget, the attendance policy and the schedule of the room.',
    ),
  roster: roster
    .optional()
    .describe('The people who are expected, at most 1,000, each `uid` once. Attendance is evaluated against it. Default: none.'),
  preset: presetName
    .optional()
    .describe('Name of a preset: its settings and its look are the defaults of this room. Without it, the defaults are those stated here.'),
});

export const joinRoomBody = z.object({ participant: participant.describe('The participant who will join.') });

export const joinResult = z
  .object({
    token: z.string().describe('Token for one participant and one room. Give it to that participant only.'),
    iframeUrl: z.string().describe('Address of the class page with the token: open or embed it.'),
    expiresAt: timestamp.describe(
      'The last time at which the token can be used to join: about an hour from now, unless `expiresIn` or a schedule says otherwise.',
    ),
  })
  .register(NAMES, { id: 'JoinResult', description: 'What one participant needs to join.' });

export const createRoomResult = joinResult
  .extend({
    room: z.object({ roomId: shown.roomId, sid: shown.sid }).describe('The new room.'),
    settings: roomSettings.describe(
      'The settings in force: those of the request, otherwise of the preset, otherwise of the organization or the defaults.',
    ),
  })
  .register(NAMES, { id: 'CreatedRoom', description: 'The new room, and what the first participant needs to join.' });

export const roomStatus = z
  .union([
    z.object({
      exists: z.literal(true).describe('Whether the room exists.'),
      isActive: z.boolean().describe('Whether the class is live: a participant has joined and it has not ended.'),
      roomId: shown.roomId,
      title: shown.title,
      participantCount: shown.participantCount,
      hasTeacher: shown.hasTeacher,
      isRecording: shown.isRecording,
      createdAt: shown.createdAt,
      startedAt: shown.startedAt,
    }),
    z.object({
      exists: z.literal(false).describe('Whether the room exists.'),
      isActive: z.literal(false).describe('Whether the class is live: a participant has joined and it has not ended.'),
      roomId: shown.roomId,
    }),
  ])
  .register(NAMES, {
    id: 'RoomStatusReport',
    description: 'Whether a room exists and is live. Only `exists`, `isActive` and `roomId` if it does not exist.',
  });
export type RoomStatus = z.infer<typeof roomStatus>;

export const endedRoom = z
  .object({
    roomId: shown.roomId,
    participantsDisconnected: z.number().int().describe('Number of participants who were connected.'),
    wasRecording: z.boolean().describe('Whether a recording was running. It is stopped and saved.'),
    endedAt: timestamp.describe('When the class ended.'),
  })
  .register(NAMES, { id: 'EndedRoom', description: 'What the end of a class did.' });

/** A blank id has its own message in the public contract. */
export const roomIdParams = z.object({
  roomId: z
    .string()
    .refine((value) => value.trim() !== '', { error: 'Missing roomId', abort: true })
    .pipe(roomId)
    .describe('Your id of the room.'),
});

/** Whether the token opens sessions only, because the organization has a join hook. */
const sessionsOnly = z.boolean().optional();
const hasJoinHook = ({ joinHook }: OperationRequest['organization']) => Boolean(joinHook);

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
  input: createRoomBody.extend({
    organizationId,
    idempotency: ownersKey.optional(),
    /** What the organization has set. */
    organizationConsent: consentSettings.optional(),
    organizationAttendance: attendancePolicy.nullish(),
    sessionsOnly,
  }),
  toInput: ({ body, organization }) => ({
    ...body,
    organizationConsent: organization.consent as ConsentSettings,
    organizationAttendance: organization.attendance as AttendancePolicy | null,
    sessionsOnly: hasJoinHook(organization),
  }),
  output: createRoomResult,
  message: 'Room created',
  errors: ['INSUFFICIENT_CREDITS', 'ROOM_ID_ALREADY_USED', 'PRESET_NOT_FOUND'],
  example: {
    body: {
      ...ROOM,
      title: 'Geometry, class 7b',
      participant: TEACHER,
      settings: { maxParticipants: 40, emptyTimeout: 300, attendance: { lateAfter: 600 } },
      roster: [{ uid: STUDENT.uid, name: STUDENT.name }],
      customization: { showLobby: false, theme: 'light' },
    },
  },
  links: { roomId: '$response.body#/data/room/roomId' },
});

export const joinRoom = defineOperation({
  operationId: 'joinRoom',
  summary: 'Join room',
  description: 'Returns a token and a link for a participant of a room. Before the room opens by its schedule, the link counts down.',
  tag: 'Rooms',
  sdk: 'rooms.join',
  route: 'POST /v1/room/:roomId/join',
  auth: 'organization',
  scope: 'rooms:write',
  service: 'room',
  rpc: 'room.join',
  params: roomIdParams,
  body: joinRoomBody,
  input: z.object({ organizationId, roomId, participant, sessionsOnly }),
  toInput: ({ params, body, organization }) => ({ ...params, ...body, sessionsOnly: hasJoinHook(organization) }),
  output: joinResult,
  message: 'Token created',
  errors: ['ROOM_NOT_FOUND', 'ROOM_ENDED', 'ROOM_FULL', 'ALREADY_CONNECTED'],
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
  audit: 'recorded',
  service: 'room',
  rpc: 'room.end',
  params: roomIdParams,
  output: endedRoom,
  message: 'Room ended',
  errors: ['ROOM_NOT_FOUND', 'ROOM_ENDED'],
  example: { params: ROOM },
});
