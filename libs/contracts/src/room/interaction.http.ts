import { z } from 'zod';
import { defineEndpoint, envelope } from '../kernel/http.js';
import { shownText, text, uid } from '../kernel/ids.js';
import { queryInteger, queryIntegerOr } from '../kernel/query.js';
import { oneOfThese, TOLD } from '../kernel/told.js';
import { chatMessage, chatText, classState, hand, poll, pollInput, pollReport, reaction, REACTIONS, roomDetails, speaker } from './class-state.js';
import { emptyTimeout, maxParticipants, roomIdParams } from './room.http.js';

/** What people in a class do beside talking, with the classroom token. Each is decided from the service's own rows. */
const REFUSALS = ['VALIDATION_FAILED', 'UNAUTHORIZED', 'ROOM_ENDED'] as const;
const MODERATION = [...REFUSALS, 'FORBIDDEN', 'PARTICIPANT_NOT_FOUND'] as const;

const uidParams = z.object({ uid });
/** UUIDs of ours; anything else is no poll. */
export const pollId = z.uuid({ error: 'must be a poll’s id' });
const pollParams = z.object({ pollId });

export const getClassState = defineEndpoint({
  operationId: 'getClassState',
  summary: 'Hands, speakers, chat, polls, reactions, room and recording: all of it, or what changed after a version',
  method: 'GET',
  path: '/v1/classroom/state',
  auth: 'classroom',
  query: z.object({ after: queryIntegerOr(0, { min: 0 }) }),
  response: envelope(classState),
  errors: REFUSALS,
});

export const raiseHandBody = z.object({ raised: z.boolean() });
export const handResult = z.object({ hands: z.array(hand) });

export const raiseHand = defineEndpoint({
  operationId: 'raiseHand',
  summary: 'Raise or lower one’s own hand; raising it again keeps its place',
  method: 'POST',
  path: '/v1/classroom/hand',
  auth: 'classroom',
  body: raiseHandBody,
  response: envelope(handResult),
  errors: REFUSALS,
});

export const lowerHand = defineEndpoint({
  operationId: 'lowerHand',
  summary: 'Lower somebody’s hand (TEACHER, MODERATOR, ADMIN)',
  method: 'POST',
  path: '/v1/classroom/participants/:uid/lower-hand',
  auth: 'classroom',
  params: uidParams,
  response: envelope(handResult),
  errors: MODERATION,
});

export const lowerAllHands = defineEndpoint({
  operationId: 'lowerAllHands',
  summary: 'Lower every hand (TEACHER, MODERATOR, ADMIN)',
  method: 'POST',
  path: '/v1/classroom/hands/lower-all',
  auth: 'classroom',
  response: envelope(handResult),
  errors: [...REFUSALS, 'FORBIDDEN'],
});

export const muteSource = z.enum(['microphone', 'camera', 'screen']);
export type MuteSource = z.infer<typeof muteSource>;
export const mutedParticipant = z.object({ uid: z.string(), source: muteSource, wasPublishing: z.boolean() });

export const muteParticipant = defineEndpoint({
  operationId: 'muteParticipant',
  summary: 'Mute what somebody publishes, who alone can turn it on again (TEACHER, MODERATOR, ADMIN)',
  method: 'POST',
  path: '/v1/classroom/participants/:uid/mute',
  auth: 'classroom',
  params: uidParams,
  body: z.object({ source: muteSource.default('microphone') }).prefault({}),
  response: envelope(mutedParticipant),
  errors: [...MODERATION, 'SERVICE_UNAVAILABLE'],
});

export const mutedEveryone = z.object({ muted: z.array(z.string()) });

export const muteEveryone = defineEndpoint({
  operationId: 'muteEveryone',
  summary: 'Mute every microphone but the caller’s and the teachers’ (TEACHER, MODERATOR, ADMIN)',
  method: 'POST',
  path: '/v1/classroom/mute-all',
  auth: 'classroom',
  response: envelope(mutedEveryone),
  errors: [...REFUSALS, 'FORBIDDEN', 'SERVICE_UNAVAILABLE'],
});

export const speakersResult = z.object({ speakers: z.array(speaker) });

export const allowToSpeak = defineEndpoint({
  operationId: 'allowToSpeak',
  summary: 'Let a student use the microphone, or take that back (TEACHER, MODERATOR, ADMIN)',
  method: 'POST',
  path: '/v1/classroom/participants/:uid/speak',
  auth: 'classroom',
  params: uidParams,
  body: z.object({ allowed: z.boolean() }),
  response: envelope(speakersResult),
  errors: MODERATION,
});

export const sendChatMessage = defineEndpoint({
  operationId: 'sendChatMessage',
  summary: 'Say something in the class’s chat; the same id again changes nothing',
  method: 'POST',
  path: '/v1/classroom/chat',
  auth: 'classroom',
  body: z.object({ text: chatText, id: z.uuid({ error: 'must be a UUID' }).optional() }),
  response: envelope(chatMessage),
  errors: [...REFUSALS, 'RATE_LIMITED'],
});

export const chatPage = z.object({ messages: z.array(chatMessage), hasMore: z.boolean() });

export const listChatMessages = defineEndpoint({
  operationId: 'listChatMessages',
  summary: 'Older chat messages of the class, in the order they were sent',
  method: 'GET',
  path: '/v1/classroom/chat',
  auth: 'classroom',
  query: z.object({
    /** Version of the oldest message known so far. */
    before: queryInteger({ min: 1 }).optional(),
    limit: queryIntegerOr(100, { min: 1, max: 200 }),
  }),
  response: envelope(chatPage),
  errors: REFUSALS,
});

export const sendReaction = defineEndpoint({
  operationId: 'sendReaction',
  summary: 'React for a moment, visibly to everyone',
  method: 'POST',
  path: '/v1/classroom/reactions',
  auth: 'classroom',
  body: z.object({ emoji: z.enum(REACTIONS) }),
  response: envelope(reaction),
  errors: [...REFUSALS, 'RATE_LIMITED'],
});

export const createPoll = defineEndpoint({
  operationId: 'createPoll',
  summary: 'Ask the class (TEACHER, MODERATOR, ADMIN)',
  method: 'POST',
  path: '/v1/classroom/polls',
  auth: 'classroom',
  body: pollInput,
  idempotency: 'gateway',
  response: envelope(poll),
  errors: [...REFUSALS, 'FORBIDDEN', 'TOO_MANY_POLLS'],
});

export const votedPoll = z.object({ poll, option: z.number().int() });

export const votePoll = defineEndpoint({
  operationId: 'votePoll',
  summary: 'Choose one answer, once; the same choice again changes nothing',
  method: 'POST',
  path: '/v1/classroom/polls/:pollId/vote',
  auth: 'classroom',
  params: pollParams,
  body: z.object({ option: z.number().int().min(0).max(9) }),
  response: envelope(votedPoll),
  errors: [...REFUSALS, 'POLL_NOT_FOUND', 'POLL_CLOSED', 'ALREADY_VOTED'],
});

export const closePoll = defineEndpoint({
  operationId: 'closePoll',
  summary: 'Take no more votes (TEACHER, MODERATOR, ADMIN)',
  method: 'POST',
  path: '/v1/classroom/polls/:pollId/close',
  auth: 'classroom',
  params: pollParams,
  response: envelope(poll),
  errors: [...REFUSALS, 'FORBIDDEN', 'POLL_NOT_FOUND'],
});

export const changeRoomBody = z
  .object({
    title: shownText(256).optional(),
    roomDescription: text(4000, 0).nullish(),
    settings: z
      .object({ maxParticipants: maxParticipants.optional(), emptyTimeout: emptyTimeout.optional() })
      .optional(),
  })
  .refine(({ title, roomDescription: described, settings }) => title !== undefined || described !== undefined || settings !== undefined, {
    error: 'title, roomDescription or settings must be given',
  })
  .register(TOLD, oneOfThese('title', 'roomDescription', 'settings'));

export const changeRoomInClass = defineEndpoint({
  operationId: 'changeRoomInClass',
  summary: 'Change title, description or limits while the class runs (ADMIN)',
  method: 'PATCH',
  path: '/v1/classroom/room',
  auth: 'classroom',
  body: changeRoomBody,
  response: envelope(roomDetails),
  errors: [...REFUSALS, 'FORBIDDEN'],
});

export const listRoomPolls = defineEndpoint({
  operationId: 'listRoomPolls',
  summary: 'A room’s polls with their votes, also after the class',
  method: 'GET',
  path: '/v1/room/:roomId/polls',
  auth: 'organization',
  params: roomIdParams,
  response: envelope(z.array(pollReport)),
  errors: ['VALIDATION_FAILED', 'UNAUTHORIZED', 'ROOM_NOT_FOUND'],
});
