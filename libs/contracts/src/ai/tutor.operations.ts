import { z } from 'zod';
import { classroomCaller } from '../kernel/caller.js';
import { defineOperation } from '../kernel/operation.js';
import { QUESTION, ROOM } from '../kernel/samples.js';
import { defineEndpoint } from '../kernel/http.js';
import { organizationId, roomId, text, timestamp, uid } from '../kernel/ids.js';
import { oneOfThese, TOLD } from '../kernel/told.js';
import { cursorQuery } from '../organization/organization.operations.js';
import { roomIdParams } from '../room/room.operations.js';
import { AI_BODY_LIMIT, answerMessage, audioInput, message } from './agent.operations.js';
import { modality, tokenUsage } from './ai-event.js';

const question = { text: message.optional(), audio: audioInput.optional(), responseModality: modality.default('text') };
const isAsked = {
  test: (body: { text?: string; audio?: string }) => body.text !== undefined || body.audio !== undefined,
  error: 'text or audio is required',
};

export const tutorChatBody = z
  .object({ roomId, studentUid: uid, organizationId, ...question })
  .refine(isAsked.test, { path: ['text'], error: isAsked.error })
  .register(TOLD, oneOfThese('text', 'audio'));

const eventStream = z
  .string()
  .describe(
    'Events with `text`, `audio`, `usage` or `error`, then `[DONE]`. Where the answer is less than was asked for, an empty first `text` event or the `usage` event has a `message` that says why.',
  );

export const tutorChat = defineEndpoint({
  operationId: 'tutorChat',
  summary: 'Ask tutor',
  description: 'Asks the tutor of a room on behalf of a student and returns the whole answer.',
  tag: 'Tutor',
  sdk: 'tutor.chat',
  route: 'POST /v1/ai-tutor/chat',
  auth: 'organization',
  scope: 'ai:use',
  bodyLimit: AI_BODY_LIMIT,
  body: tutorChatBody,
  response: z.object({
    success: z.literal(true),
    message: answerMessage,
    text: z.string(),
    audio: z.string().optional(),
    usage: tokenUsage,
    requestModality: modality,
    responseModality: modality,
  }),
  errors: ['INSUFFICIENT_CREDITS', 'ROOM_NOT_FOUND', 'CHAT_BUSY', 'AI_UNAVAILABLE'],
  example: { body: QUESTION },
});

export const tutorChatStream = defineEndpoint({
  operationId: 'tutorChatStream',
  summary: 'Stream tutor answer',
  description: 'Asks the tutor of a room on behalf of a student. The answer arrives as server-sent events.',
  tag: 'Tutor',
  sdk: 'tutor.stream',
  route: 'POST /v1/ai-tutor/chat/stream',
  auth: 'organization',
  scope: 'ai:use',
  bodyLimit: AI_BODY_LIMIT,
  body: tutorChatBody,
  response: eventStream,
  produces: ['text/event-stream'],
  errors: ['INSUFFICIENT_CREDITS', 'ROOM_NOT_FOUND', 'CHAT_BUSY', 'AI_UNAVAILABLE'],
  example: { body: { ...QUESTION, text: 'And why is it the longest side?' } },
});

export const topQuery = z.object({ question: z.string(), answer: z.string(), frequency: z.number().int() });
export const tutorSummaryResult = z.object({ summary: z.string(), topQueries: z.array(topQuery) });

export const tutorSummary = defineOperation({
  operationId: 'tutorSummary',
  summary: 'Get tutor summary',
  description: 'Returns a summary of what a class asked its tutor.',
  tag: 'Tutor',
  sdk: 'tutor.summary',
  route: 'GET /v1/ai-tutor/summary/:roomId',
  auth: 'organization',
  scope: 'ai:use',
  service: 'ai',
  rpc: 'tutor.summary',
  timeoutMs: 25_000,
  params: roomIdParams,
  output: tutorSummaryResult,
  dataField: null,
  errors: ['ROOM_NOT_FOUND'],
  example: { params: ROOM },
});

export const tutorUsage = defineOperation({
  operationId: 'tutorUsage',
  summary: 'Get tutor tokens',
  description: 'Returns the tokens that the tutor of a class used.',
  tag: 'Tutor',
  sdk: 'tutor.usage',
  route: 'GET /v1/ai-tutor/usage/:roomId',
  auth: 'organization',
  scope: 'ai:use',
  service: 'ai',
  rpc: 'tutor.usage',
  params: roomIdParams,
  output: z.object({ inputTokens: z.number().int(), outputTokens: z.number().int() }),
  dataField: 'usage',
  errors: ['ROOM_NOT_FOUND'],
  example: { params: ROOM },
});

const spent = { interactions: z.number().int(), ...tokenUsage.shape, cost: z.number() };

export const tutorCosts = z.object({
  roomId: z.string(),
  total: z.object(spent),
  students: z.array(z.object({ studentUid: z.string(), ...spent })),
  pagination: z.object({ nextCursor: z.string().nullable(), hasMore: z.boolean() }),
});

export const getTutorCosts = defineOperation({
  operationId: 'getTutorCosts',
  summary: 'Get tutor usage',
  description: 'Returns what each student’s questions in a room cost, by uid.',
  tag: 'Tutor',
  sdk: 'tutor.costs',
  route: 'GET /v1/ai-tutor/usage/:roomId/students',
  auth: 'organization',
  scope: 'ai:use',
  service: 'ai',
  rpc: 'tutor.costs',
  params: roomIdParams,
  query: cursorQuery,
  input: z.object({ organizationId, roomId, cursor: z.string().optional(), limit: z.number().int().min(1).max(100) }),
  output: tutorCosts,
  errors: ['ROOM_NOT_FOUND'],
  example: { params: ROOM },
});

/** An omitted field does not change; null removes it. */
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

export const setRoomContext = defineOperation({
  operationId: 'setRoomContext',
  summary: 'Set tutor context',
  description: 'Gives the tutor of a room its topic and class notes.',
  tag: 'Tutor',
  sdk: 'rooms.setContext',
  route: 'POST /v1/room/:roomId/context',
  auth: 'organization',
  scope: 'ai:use',
  service: 'ai',
  rpc: 'tutor.set-context',
  params: roomIdParams,
  body: roomContextBody,
  input: z.object({ organizationId, roomId, context: roomContextBody }),
  toInput: ({ params, body }) => ({ ...params, context: body }),
  output: roomContext,
  message: 'Context set',
  errors: ['ROOM_NOT_FOUND'],
  example: { params: ROOM, body: { topic: 'Right triangles', notes: 'The hypotenuse is the side opposite the right angle.' } },
});

/** In class, the token identifies the room and the student. */
export const classroomQuestionBody = z
  .object(question)
  .refine(isAsked.test, { path: ['text'], error: isAsked.error })
  .register(TOLD, oneOfThese('text', 'audio'));

export const askTutorInClass = defineEndpoint({
  operationId: 'askTutorInClass',
  summary: 'Ask tutor in class',
  description: 'Asks the tutor from within the class. The answer arrives as server-sent events.',
  tag: 'In class',
  route: 'POST /v1/classroom/tutor/chat/stream',
  auth: 'classroom',
  // A second answer would be another turn of the dialogue, and another charge.
  idempotency: 'gateway',
  bodyLimit: AI_BODY_LIMIT,
  body: classroomQuestionBody,
  response: eventStream,
  produces: ['text/event-stream'],
  errors: ['INSUFFICIENT_CREDITS', 'ROOM_NOT_FOUND', 'CHAT_BUSY', 'AI_UNAVAILABLE', 'ROOM_ENDED'],
});

export const tutorTurn = z.object({
  questionId: z.string(),
  dialogIndex: z.number().int(),
  question: z.string(),
  answer: z.string(),
  askedAt: timestamp,
  /** The student passed the question to the teacher. */
  isForTeacher: z.boolean(),
});
export type TutorTurn = z.infer<typeof tutorTurn>;

export const tutorDialogue = z.object({
  turns: z.array(tutorTurn),
  /** `canSpeak`: answers can be spoken. `canListen`: questions can be asked by voice. */
  canSpeak: z.boolean(),
  canListen: z.boolean(),
  /** No model is configured; the page shows this. */
  isOffline: z.boolean(),
});

export const getTutorDialogue = defineOperation({
  operationId: 'getTutorDialogue',
  summary: 'List own questions',
  description: 'Returns the caller’s last 100 questions to the tutor in this class, oldest first.',
  tag: 'In class',
  route: 'GET /v1/classroom/tutor',
  auth: 'classroom',
  service: 'ai',
  rpc: 'tutor.dialogue',
  output: tutorDialogue,
  errors: ['ROOM_ENDED'],
});

export const openQuestion = z.object({
  questionId: z.string(),
  studentUid: z.string(),
  question: z.string(),
  askedAt: timestamp,
  /** Why the question is in this list: the student asked for the teacher, the tutor did not know the answer, or its answer broke off. */
  reason: z.enum(['asked', 'unknown', 'failed']),
  /** How many students asked the same question. */
  frequency: z.number().int(),
});
export type OpenQuestion = z.infer<typeof openQuestion>;
export const openQuestions = z.object({ questions: z.array(openQuestion) });

const questionParams = z.object({ questionId: z.uuid({ error: 'must be a question’s id' }) });

export const listOpenQuestions = defineOperation({
  operationId: 'listOpenQuestions',
  summary: 'List open questions',
  description: 'Returns the questions that wait for a teacher, oldest first. Allowed for TEACHER, MODERATOR and ADMIN.',
  tag: 'In class',
  route: 'GET /v1/classroom/tutor/questions',
  auth: 'classroom',
  service: 'ai',
  rpc: 'tutor.open-questions',
  output: openQuestions,
  errors: ['FORBIDDEN', 'ROOM_ENDED'],
});

const ofQuestion = z.object({ caller: classroomCaller, questionId: z.string() });

export const askTeacher = defineOperation({
  operationId: 'askTeacher',
  summary: 'Escalate question',
  description: 'Forwards the caller’s own question to the teacher.',
  tag: 'In class',
  route: 'POST /v1/classroom/tutor/questions/:questionId/ask-teacher',
  auth: 'classroom',
  service: 'ai',
  rpc: 'tutor.ask-teacher',
  params: questionParams,
  input: ofQuestion,
  output: z.object({ questionId: z.string() }),
  message: 'The teacher was asked',
  errors: ['QUESTION_NOT_FOUND', 'ROOM_ENDED'],
});

export const resolveQuestion = defineOperation({
  operationId: 'resolveQuestion',
  summary: 'Resolve question',
  description: 'Marks a question, and all equal questions, as answered in class. Allowed for TEACHER, MODERATOR and ADMIN.',
  tag: 'In class',
  route: 'POST /v1/classroom/tutor/questions/:questionId/resolve',
  auth: 'classroom',
  service: 'ai',
  rpc: 'tutor.resolve-question',
  params: questionParams,
  input: ofQuestion,
  output: openQuestions,
  message: 'Question resolved',
  errors: ['FORBIDDEN', 'QUESTION_NOT_FOUND', 'ROOM_ENDED'],
});
