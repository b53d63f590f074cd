import { z } from 'zod';
import { pagination, shown } from '../kernel/fields.js';
import { classroomCaller } from '../kernel/caller.js';
import { defineOperation } from '../kernel/operation.js';
import { atLeastOneOf, GENERATED_ID, NAMES, QUESTION, ROOM, schemaHints } from '../kernel/reference.js';
import { defineEndpoint, successful } from '../kernel/http.js';
import { organizationId, pageOf, roomId, shownText, text, timestamp, uid } from '../kernel/values.js';
import { cursorQuery } from '../organization/organization.operations.js';
import { roomIdParams } from '../room/room.operations.js';
import { AI_BODY_LIMIT, answerMessage, audioInput, message } from './agent.operations.js';
import { modality, tokenUsage } from './ai-event.js';

const question = {
  text: message.optional().describe('The question, at most 32,000 characters. Required without `audio`.'),
  audio: audioInput.optional(),
  responseModality: modality.default('text').describe('Form of the answer. Default: `text`.'),
};
const isAsked = {
  test: (body: { text?: string; audio?: string }) => body.text !== undefined || body.audio !== undefined,
  error: 'text or audio is required',
};

export const tutorChatBody = z
  .object({
    roomId: roomId.describe('Your id of the room.'),
    studentUid: uid.describe('Your id of the student who asks. Each student has a dialogue of their own.'),
    organizationId: organizationId.describe('Id of the organization; it must be the one that makes the call.'),
    ...question,
  })
  .refine(isAsked.test, { path: ['text'], error: isAsked.error })
  .register(schemaHints, atLeastOneOf('text', 'audio'));

const eventStream = z
  .string()
  .describe(
    'Events with `text`, `audio`, `usage` or `error`, then `[DONE]`. Before audio, the first event is an empty `text` with `responseModality`, `audio` or `both`. Where the answer is less than was asked for, an empty first `text` event or the `usage` event has a `message` that says why.',
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
    ...successful,
    message: answerMessage,
    text: z.string().describe('The answer.'),
    audio: z.string().optional().describe('The spoken answer: WAV in base64. Present if audio was requested and could be made.'),
    usage: tokenUsage.describe('What the answer used.'),
    requestModality: modality.describe('Form of the question.'),
    responseModality: modality.describe('Form of the answer.'),
  }),
  errors: ['INSUFFICIENT_CREDITS', 'AI_DISABLED', 'ROOM_NOT_FOUND', 'CHAT_BUSY', 'AI_UNAVAILABLE'],
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
  errors: ['INSUFFICIENT_CREDITS', 'AI_DISABLED', 'ROOM_NOT_FOUND', 'CHAT_BUSY', 'AI_UNAVAILABLE'],
  example: { body: { ...QUESTION, text: 'And why is it the longest side?' } },
});

export const topQuery = z
  .object({
    question: z.string().describe('The question, as one of the students asked it.'),
    answer: z.string().describe('The tutor’s answer.'),
    frequency: z.number().int().describe('How often it was asked.'),
  })
  .register(NAMES, { id: 'TopQuery', description: 'A question that a class asked.' });
export const tutorSummaryResult = z.object({
  summary: z.string().describe('What the class asked, in a few sentences.'),
  topQueries: pageOf(topQuery).describe('The most frequent questions, most frequent first.'),
});

export const tutorSummary = defineOperation({
  operationId: 'tutorSummary',
  summary: 'Get tutor summary',
  description: 'Returns a summary of what a class asked its tutor.',
  tag: 'Tutor',
  sdk: 'tutor.summary',
  route: 'GET /v1/ai-tutor/summary/:roomId',
  auth: 'organization',
  scope: 'ai:use',
  dashboardRole: 'MEMBER',
  audit: 'required',
  service: 'ai',
  rpc: 'tutor.summary',
  timeoutMs: 25_000,
  params: roomIdParams,
  output: tutorSummaryResult,
  dataField: null,
  errors: ['AI_DISABLED', 'ROOM_NOT_FOUND'],
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
  output: z.object({
    inputTokens: z.number().int().describe('Tokens that the models read.'),
    outputTokens: z.number().int().describe('Tokens that the models wrote.'),
  }),
  dataField: 'usage',
  errors: ['ROOM_NOT_FOUND'],
  example: { params: ROOM },
});

const spent = {
  interactions: z.number().int().describe('Number of questions.'),
  ...tokenUsage.shape,
  cost: z.number().describe('Cost in the currency of the price table: USD unless the installation configures another.'),
};

export const tutorCosts = z
  .object({
    roomId: shown.roomId,
    total: z.object(spent).describe('The totals of the room.'),
    students: z
      .array(z.object({ studentUid: z.string().describe('Your id of the student.'), ...spent }))
      .max(100)
      .describe('One entry per student, by uid.'),
    pagination: pagination.describe('Where the list continues.'),
  })
  .register(NAMES, { id: 'TutorCosts', description: 'What the questions of a room cost.' });

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
  .object({
    topic: text(256).nullish().describe('Topic of the class, at most 256 characters. Null removes it.'),
    notes: text(32_000).nullish().describe('Notes that the tutor may use in its answers, at most 32,000 characters. Null removes them.'),
  })
  .refine(({ topic, notes }) => topic !== undefined || notes !== undefined, 'topic or notes must be given')
  .register(schemaHints, atLeastOneOf('topic', 'notes'));
export const roomContext = z
  .object({
    roomId: shown.roomId,
    topic: z.string().nullable().describe('Topic of the class; null if none is set.'),
    notes: z.string().nullable().describe('The notes; null if none are set.'),
    updatedAt: timestamp.describe('When the context last changed.'),
  })
  .register(NAMES, { id: 'RoomContext', description: 'What the tutor knows of a class.' });

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
  .register(schemaHints, atLeastOneOf('text', 'audio'));

export const askTutorInClass = defineEndpoint({
  operationId: 'askTutorInClass',
  summary: 'Ask tutor in class',
  description: 'Asks the tutor from within the class. The answer arrives as server-sent events.',
  tag: 'Class tutor',
  route: 'POST /v1/classroom/tutor/chat/stream',
  auth: 'classroom',
  // A second answer would be another turn of the dialogue, and another charge.
  idempotency: 'gateway',
  bodyLimit: AI_BODY_LIMIT,
  body: classroomQuestionBody,
  response: eventStream,
  produces: ['text/event-stream'],
  errors: ['INSUFFICIENT_CREDITS', 'AI_DISABLED', 'ROOM_NOT_FOUND', 'CHAT_BUSY', 'AI_UNAVAILABLE', 'ROOM_ENDED'],
  example: { body: { text: QUESTION.text } },
});

export const tutorTurn = z
  .object({
    questionId: z.string().describe('Id of the question.'),
    dialogIndex: z.number().int().describe('Index of the turn in the dialogue, from 0.'),
    question: z.string().describe('The question.'),
    answer: z.string().describe('The tutor’s answer, or what there is of it.'),
    askedAt: timestamp.describe('When it was asked.'),
    isForTeacher: z.boolean().describe('Whether the student passed the question to the teacher.'),
    teacherAnswer: z
      .object({
        text: z.string().describe('The answer.'),
        name: z.string().describe('Who wrote it; empty if that is not known.'),
        answeredAt: timestamp.describe('When it was written.'),
      })
      .optional()
      .describe('What a teacher answered in writing. Absent if none did.'),
  })
  .register(NAMES, { id: 'TutorTurn', description: 'A question and its answer.' });
export type TutorTurn = z.infer<typeof tutorTurn>;

export const tutorDialogue = z
  .object({
    turns: pageOf(tutorTurn).describe('At most 100 turns, oldest first.'),
    canSpeak: z.boolean().describe('Whether answers can be spoken.'),
    canListen: z.boolean().describe('Whether questions can be asked by voice.'),
    isOffline: z.boolean().describe('Whether no model is configured; the page shows this.'),
  })
  .register(NAMES, { id: 'TutorDialogue', description: 'A student’s dialogue with the tutor.' });

export const getTutorDialogue = defineOperation({
  operationId: 'getTutorDialogue',
  summary: 'List own questions',
  description: 'Returns the caller’s last 100 questions to the tutor in this class, oldest first.',
  tag: 'Class tutor',
  route: 'GET /v1/classroom/tutor',
  auth: 'classroom',
  service: 'ai',
  rpc: 'tutor.dialogue',
  output: tutorDialogue,
  errors: ['AI_DISABLED', 'ROOM_ENDED'],
  example: {},
});

export const openQuestion = z
  .object({
    questionId: z.string().describe('Id of the question.'),
    studentUid: z.string().describe('Your id of the student who asked.'),
    question: z.string().describe('The question.'),
    askedAt: timestamp.describe('When it was asked.'),
    reason: z
      .enum(['asked', 'unknown', 'failed'])
      .describe(
        'Why it waits for a teacher. `asked`: the student asked for the teacher. `unknown`: the tutor did not know the answer. `failed`: its answer broke off.',
      ),
    frequency: z.number().int().describe('How many students asked the same question.'),
  })
  .register(NAMES, { id: 'OpenQuestion', description: 'A question that waits for a teacher.' });
export type OpenQuestion = z.infer<typeof openQuestion>;
export const openQuestions = z.object({
  questions: pageOf(openQuestion).describe('The questions that wait for a teacher, oldest first.'),
});

const questionParams = z.object({ questionId: z.uuid({ error: 'must be a question’s id' }).describe('Id of the question, a UUID.') });

export const listOpenQuestions = defineOperation({
  operationId: 'listOpenQuestions',
  summary: 'List open questions',
  description: 'Returns the questions that wait for a teacher, oldest first. Allowed for TEACHER, MODERATOR and ADMIN.',
  tag: 'Class tutor',
  route: 'GET /v1/classroom/tutor/questions',
  auth: 'classroom',
  service: 'ai',
  rpc: 'tutor.open-questions',
  output: openQuestions,
  errors: ['FORBIDDEN', 'ROOM_ENDED'],
  example: {},
});

const ofQuestion = z.object({ caller: classroomCaller, questionId: z.string() });

export const askTeacher = defineOperation({
  operationId: 'askTeacher',
  summary: 'Escalate question',
  description: 'Forwards the caller’s own question to the teacher.',
  tag: 'Class tutor',
  route: 'POST /v1/classroom/tutor/questions/:questionId/ask-teacher',
  auth: 'classroom',
  service: 'ai',
  rpc: 'tutor.ask-teacher',
  params: questionParams,
  input: ofQuestion,
  output: z.object({ questionId: z.string().describe('Id of the question.') }),
  message: 'The teacher was asked',
  errors: ['QUESTION_NOT_FOUND', 'ROOM_ENDED'],
  example: { params: { questionId: GENERATED_ID } },
});

export const resolveQuestion = defineOperation({
  operationId: 'resolveQuestion',
  summary: 'Resolve question',
  description: 'Marks a question, and all equal questions, as answered in class. Allowed for TEACHER, MODERATOR and ADMIN.',
  tag: 'Class tutor',
  route: 'POST /v1/classroom/tutor/questions/:questionId/resolve',
  auth: 'classroom',
  service: 'ai',
  rpc: 'tutor.resolve-question',
  params: questionParams,
  input: ofQuestion,
  output: openQuestions,
  message: 'Question resolved',
  errors: ['FORBIDDEN', 'QUESTION_NOT_FOUND', 'ROOM_ENDED'],
  example: { params: { questionId: GENERATED_ID } },
});

const teacherAnswer = shownText(4000);

export const answerQuestion = defineOperation({
  operationId: 'answerQuestion',
  summary: 'Answer question',
  description:
    'Answers a question, and all equal questions, in writing: who asked sees the answer with its author’s name. Allowed for TEACHER, MODERATOR and ADMIN.',
  tag: 'Class tutor',
  route: 'POST /v1/classroom/tutor/questions/:questionId/answer',
  auth: 'classroom',
  service: 'ai',
  rpc: 'tutor.answer-question',
  params: questionParams,
  body: z.object({ answer: teacherAnswer.describe('The answer, 1 to 4,000 characters.') }),
  input: ofQuestion.extend({ answer: teacherAnswer }),
  output: openQuestions,
  message: 'Question answered',
  errors: ['FORBIDDEN', 'QUESTION_NOT_FOUND', 'ROOM_ENDED'],
  example: { params: { questionId: GENERATED_ID }, body: { answer: 'It is called the hypotenuse.' } },
});
