import { z } from 'zod';
import { queryInteger, queryIntegerOr, shown } from '../kernel/fields.js';
import { defineOperation } from '../kernel/operation.js';
import { classroomCaller } from '../kernel/caller.js';
import { atLeastOneOf, GENERATED_ID, givesSome, NAMES, ROOM, schemaHints, STUDENT } from '../kernel/reference.js';
import { defineEndpoint, envelope } from '../kernel/http.js';
import { pageOf, shownText, text, uid } from '../kernel/values.js';
import {
  chatMessage,
  chatText,
  classState,
  hand,
  poll,
  pollInput,
  pollReport,
  reaction,
  REACTIONS,
  roomDetails,
  speaker,
} from './class-state.js';
import { roster } from './attendance-settings.js';
import { customization, metadata, roomIdParams } from './room.operations.js';
import { MOST_PARTICIPANTS, settingsChanges, settingsInClass } from './room-settings.js';

const uidParams = z.object({ uid: uid.describe('Your id of the participant.') });
/** Poll ids are UUIDs that we generate. */
export const pollId = z.uuid({ error: 'must be a poll’s id' });
const pollParams = z.object({ pollId: pollId.describe('Id of the poll, a UUID.') });

export const getClassState = defineOperation({
  operationId: 'getClassState',
  summary: 'Get class state',
  description:
    'Returns hands, speakers, chat, polls, reactions, room details and recording state: everything, or what changed after a version.',
  tag: 'Class session',
  route: 'GET /v1/classroom/state',
  auth: 'classroom',
  service: 'room',
  rpc: 'class.state',
  query: z.object({ after: queryIntegerOr(0, { min: 0 }).describe('The version that you have. Default: 0, everything.') }),
  output: classState,
  errors: ['ROOM_ENDED'],
  example: { query: { after: 0 } },
});

export const raiseHandBody = z.object({ raised: z.boolean().describe('`true` raises the caller’s hand, `false` lowers it.') });
export const handResult = z.object({ hands: pageOf(hand).describe('All raised hands, in order.') });

export const raiseHand = defineOperation({
  operationId: 'raiseHand',
  summary: 'Raise own hand',
  description: 'Raises or lowers the caller’s hand. Raising a raised hand keeps its place in the order.',
  tag: 'Class moderation',
  route: 'POST /v1/classroom/hand',
  auth: 'classroom',
  service: 'room',
  rpc: 'class.raise-hand',
  body: raiseHandBody,
  output: handResult,
  message: (_, { body }) => (body.raised ? 'Hand raised' : 'Hand lowered'),
  errors: ['ROOM_ENDED', 'FORBIDDEN'],
  example: { body: { raised: true } },
});

export const lowerHand = defineOperation({
  operationId: 'lowerHand',
  summary: 'Lower hand',
  description: 'Lowers the hand of a participant. Allowed for TEACHER, MODERATOR and ADMIN.',
  tag: 'Class moderation',
  route: 'POST /v1/classroom/participants/:uid/lower-hand',
  auth: 'classroom',
  service: 'room',
  rpc: 'class.lower-hand',
  params: uidParams,
  output: handResult,
  message: 'Hand lowered',
  errors: ['ROOM_ENDED', 'FORBIDDEN', 'PARTICIPANT_NOT_FOUND'],
  example: { params: { uid: STUDENT.uid } },
});

export const lowerAllHands = defineOperation({
  operationId: 'lowerAllHands',
  summary: 'Lower all hands',
  description: 'Lowers every raised hand. Allowed for TEACHER, MODERATOR and ADMIN.',
  tag: 'Class moderation',
  route: 'POST /v1/classroom/hands/lower-all',
  auth: 'classroom',
  service: 'room',
  rpc: 'class.lower-all-hands',
  output: handResult,
  message: 'Hands lowered',
  errors: ['ROOM_ENDED', 'FORBIDDEN'],
  example: {},
});

export const muteSource = z.enum(['microphone', 'camera', 'screen']);
export type MuteSource = z.infer<typeof muteSource>;
export const mutedParticipant = z
  .object({
    uid: shown.uid,
    source: muteSource.describe('The muted track.'),
    wasPublishing: z.boolean().describe('Whether the track was on.'),
  })
  .register(NAMES, { id: 'MutedParticipant', description: 'A participant’s muted track.' });

export const mutedEveryone = z.object({
  muted: z.array(z.string()).max(MOST_PARTICIPANTS).describe('The uids of the muted participants.'),
});

export const muteEveryone = defineOperation({
  operationId: 'muteEveryone',
  summary: 'Mute all participants',
  description: 'Mutes every microphone except the caller’s and the teachers’. Allowed for TEACHER, MODERATOR and ADMIN.',
  tag: 'Class moderation',
  route: 'POST /v1/classroom/mute-all',
  auth: 'classroom',
  service: 'room',
  rpc: 'class.mute-everyone',
  output: mutedEveryone,
  message: 'Everyone muted',
  errors: ['ROOM_ENDED', 'FORBIDDEN'],
  example: {},
});

export const speakersResult = z.object({ speakers: pageOf(speaker).describe('All students who may speak.') });

export const allowToSpeak = defineOperation({
  operationId: 'allowToSpeak',
  summary: 'Allow to speak',
  description: 'Lets a student use the microphone, or revokes that permission. Allowed for TEACHER, MODERATOR and ADMIN.',
  tag: 'Class moderation',
  route: 'POST /v1/classroom/participants/:uid/speak',
  auth: 'classroom',
  service: 'room',
  rpc: 'class.allow-to-speak',
  params: uidParams,
  body: z.object({ allowed: z.boolean().describe('`true` allows the student to use the microphone, `false` revokes it.') }),
  output: speakersResult,
  message: (_, { body }) => (body.allowed ? 'Participant may speak' : 'Participant may no longer speak'),
  errors: ['ROOM_ENDED', 'FORBIDDEN', 'PARTICIPANT_NOT_FOUND'],
  example: { params: { uid: STUDENT.uid }, body: { allowed: true } },
});

export const sendChatMessage = defineOperation({
  operationId: 'sendChatMessage',
  summary: 'Send chat message',
  description:
    'Sends a message to the class chat, or only to the teachers if the chat settings say so. A repeated message id changes nothing. With slow mode, a 429 says in `Retry-After` when the next message is accepted.',
  tag: 'Class chat',
  route: 'POST /v1/classroom/chat',
  auth: 'classroom',
  service: 'room',
  rpc: 'class.send-chat',
  body: z.object({
    text: chatText.describe('The message, 1 to 2,000 characters.'),
    id: z
      .uuid({ error: 'must be a UUID' })
      .optional()
      .describe('Your id of the message, a UUID: a repeated id changes nothing. Default: a new one.'),
  }),
  input: z.object({ caller: classroomCaller, text: chatText, id: z.string().optional() }),
  output: chatMessage,
  message: 'Message sent',
  errors: ['ROOM_ENDED', 'FORBIDDEN', 'CHAT_OFF'],
  example: { body: { text: 'Please open page 12.' } },
});

export const chatPage = z.object({
  messages: pageOf(chatMessage).describe('The messages, in the order in which they were sent.'),
  hasMore: z.boolean().describe('Whether there are older messages.'),
});

export const listChatMessages = defineOperation({
  operationId: 'listChatMessages',
  summary: 'List chat messages',
  description: 'Returns older chat messages of the class, in the order in which they were sent.',
  tag: 'Class chat',
  route: 'GET /v1/classroom/chat',
  auth: 'classroom',
  service: 'room',
  rpc: 'class.list-chat',
  query: z.object({
    before: queryInteger({ min: 1 }).optional().describe('`version` of the oldest message that you have. Default: the newest messages.'),
    limit: queryIntegerOr(100, { min: 1, max: 200 }).describe('Messages per page, 1 to 200. Default: 100.'),
  }),
  input: z.object({ caller: classroomCaller, before: z.number().int().optional(), limit: z.number().int() }),
  output: chatPage,
  errors: ['ROOM_ENDED'],
  example: { query: { limit: 20 } },
});

export const sendReaction = defineOperation({
  operationId: 'sendReaction',
  summary: 'Send reaction',
  description: 'Shows a reaction to everyone in the class for a moment.',
  tag: 'Class chat',
  route: 'POST /v1/classroom/reactions',
  auth: 'classroom',
  service: 'room',
  rpc: 'class.react',
  body: z.object({ emoji: z.enum(REACTIONS).describe('The reaction.') }),
  output: reaction,
  errors: ['ROOM_ENDED', 'FORBIDDEN'],
  example: { body: { emoji: '👍' } },
});

export const createPoll = defineOperation({
  operationId: 'createPoll',
  summary: 'Create poll',
  description: 'Opens a poll for the class. Allowed for TEACHER, MODERATOR and ADMIN.',
  tag: 'Class polls',
  route: 'POST /v1/classroom/polls',
  auth: 'classroom',
  idempotency: 'gateway',
  service: 'room',
  rpc: 'class.create-poll',
  body: pollInput,
  output: poll,
  message: 'Poll created',
  errors: ['ROOM_ENDED', 'FORBIDDEN', 'TOO_MANY_POLLS'],
  links: { pollId: '$response.body#/data/pollId' },
  example: { body: { question: 'How long is the hypotenuse of 3 and 4?', options: ['5', '7'] } },
});

export const votedPoll = z.object({
  poll: poll.describe('The poll with its votes.'),
  option: z.number().int().describe('Index of the chosen option, from 0.'),
});

export const votePoll = defineOperation({
  operationId: 'votePoll',
  summary: 'Vote in poll',
  description: 'Chooses one option. A participant votes once; repeating the same choice changes nothing.',
  tag: 'Class polls',
  route: 'POST /v1/classroom/polls/:pollId/vote',
  auth: 'classroom',
  service: 'room',
  rpc: 'class.vote',
  params: pollParams,
  body: z.object({ option: z.number().int().min(0).max(9).describe('Index of the chosen option, from 0 to 9.') }),
  input: z.object({ caller: classroomCaller, pollId, option: z.number().int() }),
  output: votedPoll,
  message: 'Vote counted',
  errors: ['ROOM_ENDED', 'FORBIDDEN', 'POLL_NOT_FOUND', 'POLL_CLOSED', 'ALREADY_VOTED'],
  example: { params: { pollId: GENERATED_ID }, body: { option: 0 } },
});

export const closePoll = defineOperation({
  operationId: 'closePoll',
  summary: 'Close poll',
  description: 'Closes a poll for votes. Allowed for TEACHER, MODERATOR and ADMIN.',
  tag: 'Class polls',
  route: 'POST /v1/classroom/polls/:pollId/close',
  auth: 'classroom',
  service: 'room',
  rpc: 'class.close-poll',
  params: pollParams,
  output: poll,
  message: 'Poll closed',
  errors: ['ROOM_ENDED', 'FORBIDDEN', 'POLL_NOT_FOUND'],
  example: { params: { pollId: GENERATED_ID } },
});

const changedTexts = {
  title: shownText(256).optional().describe('Display title, 1 to 256 characters.'),
  roomDescription: text(4000, 0).nullish().describe('Description, at most 4,000 characters. Null removes it.'),
};

/** What roles may do, consent, what the page looks like and what is recorded are the organization's decisions: only its backend changes them. */
export const changeRoomBody = z
  .object({
    ...changedTexts,
    metadata: metadata.nullish().describe('Data of your own, at most 8 KiB as JSON, which replaces the earlier data. Null removes it.'),
    customization: customization
      .optional()
      .describe('How the class page looks. Omitted fields stay as they are; pages of the running class follow at once.'),
    settings: settingsChanges
      .optional()
      .describe(
        'Limits, permissions, recording, chat, admission and consent settings, the budget, the attendance policy and the schedule of the room.',
      ),
    roster: roster
      .nullish()
      .describe(
        'The people who are expected, at most 1,000, each `uid` once. Replaces the earlier roster. Null or an empty list removes it.',
      ),
  })
  .refine(...givesSome('title', 'roomDescription', 'metadata', 'customization', 'settings', 'roster'))
  .register(schemaHints, atLeastOneOf('title', 'roomDescription', 'metadata', 'customization', 'settings', 'roster'));

const changeRoomInClassBody = z
  .object({
    ...changedTexts,
    settings: settingsInClass.optional().describe('Limits, chat and admission settings of the room, and what students may do.'),
  })
  .refine(...givesSome('title', 'roomDescription', 'settings'))
  .register(schemaHints, atLeastOneOf('title', 'roomDescription', 'settings'));

export const changeRoomInClass = defineOperation({
  operationId: 'changeRoomInClass',
  summary: 'Update room in class',
  description:
    'Changes title, description, limits, chat or admission settings of the running class, or what students may do in it. Allowed for ADMIN; TEACHER and MODERATOR may change the chat and admission settings, and what students may do.',
  tag: 'Class session',
  route: 'PATCH /v1/classroom/room',
  auth: 'classroom',
  service: 'room',
  rpc: 'class.change-room',
  body: changeRoomInClassBody,
  input: z.object({ caller: classroomCaller, change: changeRoomInClassBody }),
  toInput: ({ body }) => ({ change: body }),
  output: roomDetails,
  message: 'Room changed',
  errors: ['ROOM_ENDED', 'FORBIDDEN'],
  example: { body: { title: 'Geometry: right triangles' } },
});

export const listRoomPolls = defineEndpoint({
  operationId: 'listRoomPolls',
  summary: 'List polls',
  description: 'Returns the polls of a room with their votes, also after the class.',
  tag: 'Rooms',
  sdk: 'rooms.polls',
  route: 'GET /v1/room/:roomId/polls',
  auth: 'organization',
  scope: 'chat:read',
  dashboardRole: 'MEMBER',
  audit: 'required',
  params: roomIdParams,
  response: envelope(z.array(pollReport)),
  errors: ['ROOM_NOT_FOUND'],
  example: { params: ROOM },
});
