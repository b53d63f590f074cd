import { z } from 'zod';
import { shown } from '../kernel/fields.js';
import { defineOperation } from '../kernel/operation.js';
import { role, timestamp } from '../kernel/values.js';
import { defineEndpoint, envelope } from '../kernel/http.js';
import { NAMES } from '../kernel/reference.js';
import { ownConsent } from './consent.operations.js';
import { PERMISSIONS, PERMISSIONS_OF_ROLES, shownRolePermissions } from './permission-settings.js';
import { endedRoom } from './room.operations.js';
import { shownCustomization, shownUiFlags } from './class-page.js';
import { ownAdmission } from './waiting-room.js';

/** Names of present participants that a lobby can show at most. */
export const MAX_PRESENT_NAMES = 4;

/** What a participant may do, for display in the page. The server still decides from its own rows. */
export const permissions = z
  .object({
    publish: z.boolean().describe('May use both camera and microphone.'),
    publishAudio: z.boolean().describe(PERMISSIONS.publishAudio),
    publishVideo: z.boolean().describe(PERMISSIONS.publishVideo),
    raiseHand: z.boolean().describe(PERMISSIONS.raiseHand),
    react: z.boolean().describe(PERMISSIONS.react),
    answerPolls: z.boolean().describe(PERMISSIONS.answerPolls),
    shareScreen: z.boolean().describe(PERMISSIONS.shareScreen),
    manageParticipants: z.boolean().describe(PERMISSIONS.manageParticipants),
    startRecording: z.boolean().describe(PERMISSIONS.startRecording),
    stopRecording: z.boolean().describe(PERMISSIONS.stopRecording),
    endClass: z.boolean().describe(PERMISSIONS.endClass),
    changeRoom: z.boolean().describe(PERMISSIONS.changeRoom),
    managePolls: z.boolean().describe(PERMISSIONS.managePolls),
    draw: z.boolean().describe(PERMISSIONS.draw),
    manageBoard: z.boolean().describe(PERMISSIONS.manageBoard),
    chat: z.boolean().describe(PERMISSIONS.chat),
    ai: z.boolean().describe('May use the AI tutor.'),
  })
  .register(NAMES, {
    id: 'Permissions',
    description: 'What the caller may do, for display. The service decides each action from its own data.',
  });
export type Permissions = z.infer<typeof permissions>;

export const roomSession = z.object({
  livekitUrl: z.string().describe('Address of LiveKit’s signalling, `wss://…`.'),
  livekitToken: z
    .string()
    .describe(
      'Token to connect to LiveKit with; empty while the class waits for an answer to `consent` before the join, or the participant waits for admission.',
    ),
  classroomToken: z
    .string()
    .describe('Bearer token for the other endpoints under `/v1/classroom`. To renew it, call this endpoint with it.'),
  expiresAt: timestamp.describe('When `classroomToken` expires.'),
  room: z
    .object({
      roomId: shown.roomId,
      sid: shown.sid,
      title: shown.title,
      roomDescription: shown.roomDescription,
      startedAt: shown.startedAt,
      maxParticipants: shown.maxParticipants,
      emptyTimeout: shown.emptyTimeout,
      customization: shownCustomization.describe('How the class page looks.'),
      permissions: shownRolePermissions.optional().describe(`${PERMISSIONS_OF_ROLES} Absent if it does not.`),
    })
    .describe('The room.'),
  present: z
    .object({
      count: z.number().int().describe('Their number.'),
      names: z.array(z.string()).max(MAX_PRESENT_NAMES).describe('Names of some of them, teachers first.'),
    })
    .describe('The participants who are already connected.'),
  participant: z
    .object({
      uid: shown.uid,
      name: shown.name,
      role: shown.role,
      photoURL: z.string().nullable().describe('Address at which we serve the participant’s photo; null if there is none.'),
    })
    .describe('The participant who called.'),
  permissions: permissions.describe(
    'What the role, the room and the participant’s own permissions allow. A student who is allowed to speak publishes a microphone in addition.',
  ),
  startsMuted: z
    .boolean()
    .optional()
    .describe('Whether the page enters with the microphone off, unless the participant turns it on before.'),
  ui: shownUiFlags.optional().describe('What the page leaves out for the participant.'),
  admission: ownAdmission
    .optional()
    .describe('Present while the participant is in the waiting room: nothing of the class is shown until they are admitted.'),
  consent: ownConsent.optional().describe('The consent that the class asks the participant for; absent if it asks for none, or not yet.'),
});
export type RoomSession = z.infer<typeof roomSession>;

export const classroomSession = roomSession
  .extend({
    branding: z
      .object({
        logoUrl: z.string().nullable().describe('Address at which we serve the logo; null if there is none.'),
        primaryColor: shown.primaryColor,
        accentColor: shown.accentColor,
      })
      .describe('The organization’s logo and colors.'),
    verifiedDomains: z.array(z.string()).describe('Hosts whose pages may embed the class and receive its events.'),
  })
  .register(NAMES, { id: 'ClassroomSession', description: 'What the class page needs to connect.' });

export const openClassroomSession = defineEndpoint({
  operationId: 'openClassroomSession',
  summary: 'Open classroom session',
  description:
    'Exchanges a join token for LiveKit’s URL and token, a classroom token, the room and the permissions. A classroom token renews the session. Before the room opens, `details` of the refusal say when it does, what the class is, and how its page looks.',
  tag: 'Class session',
  route: 'POST /v1/classroom/session',
  auth: 'participant',
  response: envelope(classroomSession),
  errors: ['ROOM_ENDED', 'ROOM_NOT_OPEN', 'ROOM_FULL', 'ALREADY_CONNECTED', 'CONSENT_REQUIRED', 'ADMISSION_REFUSED'],
  example: {},
});

export const endClass = defineOperation({
  operationId: 'endClass',
  summary: 'End class',
  description: 'Ends the class for everyone. Allowed for TEACHER and ADMIN.',
  tag: 'Class session',
  route: 'POST /v1/classroom/end',
  auth: 'classroom',
  audit: 'recorded',
  service: 'room',
  rpc: 'classroom.end-class',
  output: endedRoom,
  message: 'Class ended',
  errors: ['FORBIDDEN', 'ROOM_ENDED'],
  example: {},
});

export const removedParticipant = z
  .object({
    uid: shown.uid,
    wasConnected: z.boolean().describe('Whether the participant was connected at that moment.'),
  })
  .register(NAMES, { id: 'RemovedParticipant', description: 'A participant who was removed.' });

export const changedRole = z
  .object({ uid: shown.uid, role: role.describe('The new role.') })
  .register(NAMES, { id: 'ChangedRole', description: 'A participant’s new role.' });
