import { z } from 'zod';
import { defineEndpoint, envelope } from '../kernel/http.js';
import { organizationId, roomId, text, timestamp, uid } from '../kernel/ids.js';
import { oneOfThese, TOLD } from '../kernel/told.js';
import { cursorQuery } from '../organization/organization.http.js';
import { roomIdParams } from '../room/room.http.js';
import { AI_BODY_LIMIT, answerMessage, audioInput, message } from './agent.http.js';
import { modality, tokenUsage } from './ai-event.js';

const ERRORS = [
  'VALIDATION_FAILED',
  'UNAUTHORIZED',
  'INSUFFICIENT_CREDITS',
  'ROOM_NOT_FOUND',
  'CHAT_BUSY',
  'PAYLOAD_TOO_LARGE',
  'AI_UNAVAILABLE',
] as const;

const question = { text: message.optional(), audio: audioInput.optional(), responseModality: modality.default('text') };
const isAsked = { test: (body: { text?: string; audio?: string }) => body.text !== undefined || body.audio !== undefined, error: 'text or audio is required' };

export const tutorChatBody = z
  .object({ roomId, studentUid: uid, organizationId, ...question })
  .refine(isAsked.test, { path: ['text'], error: isAsked.error })
  .register(TOLD, oneOfThese('text', 'audio'));

const eventStream = z
  .string()
  .describe('Events with `text`, `audio`, `usage` or `error`, then `[DONE]`. Where the answer is less than was asked for, an empty first `text` event or the `usage` event has a `message` that says why.');

export const tutorChat = defineEndpoint({
  operationId: 'tutorChat',
  summary: 'A student’s question to the tutor of a room',
  method: 'POST',
  path: '/v1/ai-tutor/chat',
  auth: 'organization',
  body: tutorChatBody,
  bodyLimit: AI_BODY_LIMIT,
  response: z.object({
    success: z.literal(true),
    message: answerMessage,
    text: z.string(),
    audio: z.string().optional(),
    usage: tokenUsage,
    requestModality: modality,
    responseModality: modality,
  }),
  errors: ERRORS,
});

export const tutorChatStream = defineEndpoint({
  operationId: 'tutorChatStream',
  summary: 'The same, as server-sent events',
  method: 'POST',
  path: '/v1/ai-tutor/chat/stream',
  auth: 'organization',
  body: tutorChatBody,
  bodyLimit: AI_BODY_LIMIT,
  response: eventStream,
  produces: ['text/event-stream'],
  errors: ERRORS,
});

export const topQuery = z.object({ question: z.string(), answer: z.string(), frequency: z.number().int() });
export const tutorSummaryResult = z.object({ summary: z.string(), topQueries: z.array(topQuery) });

export const tutorSummary = defineEndpoint({
  operationId: 'tutorSummary',
  summary: 'What a class asked its tutor',
  method: 'GET',
  path: '/v1/ai-tutor/summary/:roomId',
  auth: 'organization',
  params: roomIdParams,
  response: tutorSummaryResult.extend({ success: z.literal(true) }),
  errors: ['VALIDATION_FAILED', 'UNAUTHORIZED', 'ROOM_NOT_FOUND'],
});

export const tutorUsage = defineEndpoint({
  operationId: 'tutorUsage',
  summary: 'The tokens a class’s tutor used',
  method: 'GET',
  path: '/v1/ai-tutor/usage/:roomId',
  auth: 'organization',
  params: roomIdParams,
  response: z.object({ success: z.literal(true), usage: tokenUsage }),
  errors: ['VALIDATION_FAILED', 'UNAUTHORIZED', 'ROOM_NOT_FOUND'],
});

const spent = { interactions: z.number().int(), ...tokenUsage.shape, cost: z.number() };

export const tutorCosts = z.object({
  roomId: z.string(),
  total: z.object(spent),
  students: z.array(z.object({ studentUid: z.string(), ...spent })),
  pagination: z.object({ nextCursor: z.string().nullable(), hasMore: z.boolean() }),
});

export const getTutorCosts = defineEndpoint({
  operationId: 'getTutorCosts',
  summary: 'What each student’s questions cost in a room, by uid',
  method: 'GET',
  path: '/v1/ai-tutor/usage/:roomId/students',
  auth: 'organization',
  params: roomIdParams,
  query: cursorQuery,
  response: envelope(tutorCosts),
  errors: ['VALIDATION_FAILED', 'UNAUTHORIZED', 'ROOM_NOT_FOUND'],
});

/** What is left out stays, null takes it away. */
export const roomContextBody = z
  .object({ topic: text(256).nullish(), notes: text(32_000).nullish() })
  .refine(({ topic, notes }) => topic !== undefined || notes !== undefined, 'topic or notes must be given')
  .register(TOLD, oneOfThese('topic', 'notes'));
export const roomContext = z.object({
  roomId: z.string(),
  topic: z.string().nullable(),
  notes: z.string().nullable(),
  updatedAt: timestamp,
});

export const setRoomContext = defineEndpoint({
  operationId: 'setRoomContext',
  summary: 'Tell the tutor of a room its topic and class notes',
  method: 'POST',
  path: '/v1/room/:roomId/context',
  auth: 'organization',
  params: roomIdParams,
  body: roomContextBody,
  response: envelope(roomContext),
  errors: ['VALIDATION_FAILED', 'UNAUTHORIZED', 'ROOM_NOT_FOUND'],
});

/** In class the token tells the room and who asks. */
export const classroomQuestionBody = z
  .object(question)
  .refine(isAsked.test, { path: ['text'], error: isAsked.error })
  .register(TOLD, oneOfThese('text', 'audio'));

export const askTutorInClass = defineEndpoint({
  operationId: 'askTutorInClass',
  summary: 'Ask the tutor from within the class, as server-sent events',
  method: 'POST',
  path: '/v1/classroom/tutor/chat/stream',
  auth: 'classroom',
  body: classroomQuestionBody,
  bodyLimit: AI_BODY_LIMIT,
  // A second answer would be another turn in the dialogue, and another charge.
  idempotency: 'gateway',
  response: eventStream,
  produces: ['text/event-stream'],
  errors: [...ERRORS, 'ROOM_ENDED', 'RATE_LIMITED'],
});

export const tutorTurn = z.object({
  questionId: z.string(),
  dialogIndex: z.number().int(),
  question: z.string(),
  answer: z.string(),
  askedAt: timestamp,
  /** The teacher was asked to answer. */
  isForTeacher: z.boolean(),
});
export type TutorTurn = z.infer<typeof tutorTurn>;

export const tutorDialogue = z.object({
  turns: z.array(tutorTurn),
  /** Whether answers can be spoken, and questions asked by voice. */
  canSpeak: z.boolean(),
  canListen: z.boolean(),
  /** Without a model: the page says so. */
  isOffline: z.boolean(),
});

export const getTutorDialogue = defineEndpoint({
  operationId: 'getTutorDialogue',
  summary: 'One’s own questions to the tutor in this class, oldest first (the last 100)',
  method: 'GET',
  path: '/v1/classroom/tutor',
  auth: 'classroom',
  response: envelope(tutorDialogue),
  errors: ['UNAUTHORIZED', 'ROOM_ENDED'],
});

export const openQuestion = z.object({
  questionId: z.string(),
  studentUid: z.string(),
  question: z.string(),
  askedAt: timestamp,
  /** Why it stands here: the student asked for the teacher, the tutor did not know, or its answer broke off. */
  reason: z.enum(['asked', 'unknown', 'failed']),
  /** How many asked the same. */
  frequency: z.number().int(),
});
export type OpenQuestion = z.infer<typeof openQuestion>;
export const openQuestions = z.object({ questions: z.array(openQuestion) });

const questionParams = z.object({ questionId: z.uuid({ error: 'must be a question’s id' }) });

export const listOpenQuestions = defineEndpoint({
  operationId: 'listOpenQuestions',
  summary: 'Questions of the class that wait for a teacher, oldest first (TEACHER, MODERATOR, ADMIN)',
  method: 'GET',
  path: '/v1/classroom/tutor/questions',
  auth: 'classroom',
  response: envelope(openQuestions),
  errors: ['UNAUTHORIZED', 'FORBIDDEN', 'ROOM_ENDED'],
});

export const askTeacher = defineEndpoint({
  operationId: 'askTeacher',
  summary: 'Hand one’s own question on to the teacher',
  method: 'POST',
  path: '/v1/classroom/tutor/questions/:questionId/ask-teacher',
  auth: 'classroom',
  params: questionParams,
  response: envelope(z.object({ questionId: z.string() })),
  errors: ['VALIDATION_FAILED', 'UNAUTHORIZED', 'QUESTION_NOT_FOUND', 'ROOM_ENDED'],
});

export const resolveQuestion = defineEndpoint({
  operationId: 'resolveQuestion',
  summary: 'Say that a question was answered in class, with all that ask the same (TEACHER, MODERATOR, ADMIN)',
  method: 'POST',
  path: '/v1/classroom/tutor/questions/:questionId/resolve',
  auth: 'classroom',
  params: questionParams,
  response: envelope(openQuestions),
  errors: ['VALIDATION_FAILED', 'UNAUTHORIZED', 'FORBIDDEN', 'QUESTION_NOT_FOUND', 'ROOM_ENDED'],
});
