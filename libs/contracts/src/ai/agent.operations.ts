import { z } from 'zod';
import { base64, mediaType } from '../kernel/content.js';
import { defineOperation } from '../kernel/operation.js';
import { defineEndpoint, KIB, successful } from '../kernel/http.js';
import { instant, organizationId, roomId, text, uid } from '../kernel/values.js';
import { NAMES, schemaHints } from '../kernel/reference.js';
import { modality, tokenUsage } from './ai-event.js';

export const AI_BODY_LIMIT = 32 * KIB * KIB;
/** Bytes of one audio or image after decoding. */
export const AI_INPUT_LIMIT = 10 * KIB * KIB;

export const message = text(32_000);

/** Same characters as a roomId. */
const chatId = roomId;
const AUDIO_FORMATS = 'Base64 of at most 10 MiB and 10 minutes: WAV, MP3, M4A or AAC, Ogg (Opus, Vorbis) or WebM (Opus, Vorbis).';
export const audioInput = base64.describe(AUDIO_FORMATS);
const imageInput = base64.describe(
  'Base64 of at most 10 MiB: PNG, JPEG, WebP and GIF go to the model without their metadata (place, camera, comments), other pictures made of pixels as JPEG. SVG is refused. A model that cannot see says so in its text.',
);
/** SVG is a document, which image decoders do not read. */
const imageMimeType = mediaType(['image'], 'must be the type of a picture made of pixels, such as image/png', ['svg']);
export const answerMessage = z
  .string()
  .optional()
  .describe(
    'Present where the answer is less than was asked for: why there is no audio though it was wanted, or that the question was transcribed by the embedded recognizer, at low quality.',
  );

export const agentChatBody = z
  .object({
    chatId: chatId.describe('Your id of the chat; same form as a `roomId`. The agent remembers earlier turns of the same chat.'),
    participantUid: uid
      .optional()
      .describe(
        'The participant for whom you ask. The chat then belongs to this person: the person’s erasure deletes it, the person’s export contains it. Later messages may omit it; another participant is refused.',
      ),
    message: message.describe('What the user says, at most 32,000 characters.'),
    audio: audioInput.optional(),
    image: imageInput.optional(),
    imageMimeType: imageMimeType.optional().describe('Media type of `image`, such as `image/png`. Required with `image`.'),
    voiceName: text(64)
      .optional()
      .describe('Voice of a spoken answer, one of `GET /v1/ai-agent/voices`. Default: the voice with `isDefault`.'),
    responseType: modality
      .optional()
      .describe(
        'Form of the answer. Default: `both`, which has the speech of the whole answer in base64: ask for `text` if you do not play it. The SDKs ask for `text`.',
      ),
    responseModality: modality.optional().describe('The same as `responseType`, which wins if both are given.'),
  })
  .refine(({ image, imageMimeType: type }) => image === undefined || type !== undefined, {
    path: ['imageMimeType'],
    error: 'is required when image is given',
  })
  .register(schemaHints, { dependentRequired: { image: ['imageMimeType'] } });

export const agentChat = defineEndpoint({
  operationId: 'agentChat',
  summary: 'Chat with agent',
  description: 'Sends a message to the agent and returns the whole answer.',
  tag: 'Agent',
  sdk: 'agent.chat',
  route: 'POST /v1/ai-agent/chat',
  auth: 'organization',
  scope: 'ai:use',
  bodyLimit: AI_BODY_LIMIT,
  body: agentChatBody,
  response: z.object({
    ...successful,
    message: answerMessage,
    text: z.string().describe('The answer.'),
    audio: z.string().optional().describe('The spoken answer: WAV in base64. Present if audio was requested and could be made.'),
    dialogIndex: z.number().int().describe('Index of this turn in the chat, from 0.'),
    usage: tokenUsage
      .extend({ latencyMs: z.number().int().describe('Milliseconds from the request to the end of the answer.') })
      .describe('What the answer used.'),
  }),
  errors: ['INSUFFICIENT_CREDITS', 'AI_DISABLED', 'CHAT_BUSY', 'AI_UNAVAILABLE'],
  example: {
    body: { chatId: 'student-731-help', participantUid: 'student-731', message: 'When does the next class begin?', responseType: 'text' },
  },
});

export const agentChatStream = defineEndpoint({
  operationId: 'agentChatStream',
  summary: 'Stream agent answer',
  description: 'Sends a message to the agent. The answer arrives as it is generated, one JSON object per line.',
  tag: 'Agent',
  sdk: 'agent.stream',
  route: 'POST /v1/ai-agent/chat/stream',
  auth: 'organization',
  scope: 'ai:use',
  bodyLimit: AI_BODY_LIMIT,
  body: agentChatBody,
  /** One JSON object per line, of type text, audio, usage, done, or error. The first text line and the usage line may carry a `message`. */
  response: z
    .string()
    .describe(
      'Lines of type `text`, `audio`, `usage`, `done` or `error`. Before audio, the first line is an empty `text` with `responseModality`, `audio` or `both`. Where the answer is less than was asked for, an empty first `text` line or the `usage` line has a `message` that says why.',
    ),
  produces: ['application/x-ndjson'],
  errors: ['INSUFFICIENT_CREDITS', 'AI_DISABLED', 'CHAT_BUSY', 'AI_UNAVAILABLE'],
  example: { body: { chatId: 'parent-88', message: 'And who teaches it?', responseType: 'text' } },
});

export const voice = z
  .object({
    voiceName: z.string().describe('Value for `voiceName`.'),
    language: z.string().describe('Language of the voice, a BCP 47 tag such as `en`.'),
    isDefault: z.boolean().describe('Whether this voice is used if the request names none.'),
  })
  .register(NAMES, { id: 'Voice', description: 'A voice for spoken answers.' });

/** Voices in a list; speech synthesizers have fewer. */
export const MAX_VOICES = 200;

export const listVoices = defineOperation({
  operationId: 'listVoices',
  summary: 'List voices',
  description: 'Returns the values that `voiceName` accepts.',
  tag: 'Agent',
  sdk: 'agent.voices',
  route: 'GET /v1/ai-agent/voices',
  auth: 'organization',
  scope: 'ai:use',
  service: 'ai',
  rpc: 'agent.voices',
  output: z.object({ voices: z.array(voice).max(MAX_VOICES).describe('All voices.') }),
  example: {},
});

const moment = z.union([z.iso.date(), instant], 'must be a date such as 2026-01-31');

/** Both ends are inclusive; a day includes all its hours. Without dates the range is all time. */
export const usageRange = z
  .object({
    startDate: moment.optional().describe('First day (UTC) or first instant. Default: no limit.'),
    endDate: moment.optional().describe('Last day (UTC, all its hours) or last instant; not before `startDate`. Default: no limit.'),
  })
  .refine(({ startDate, endDate }) => !startDate || !endDate || Date.parse(startDate) <= Date.parse(endDate), {
    path: ['endDate'],
    error: 'must not be before startDate',
  });

const spent = {
  ...tokenUsage.shape,
  cost: z.number().describe('Cost in the currency of the price table: USD unless the installation configures another.'),
};

export const usageSummary = z
  .object({
    summary: z
      .object({
        totalSessions: z.number().int().describe('Chats with the agent plus questions to tutors.'),
        totalTokenCost: z.number().describe('Total cost in the currency of the price table.'),
        totalInputTokens: z.number().int().describe('Tokens that the models read.'),
        totalOutputTokens: z.number().int().describe('Tokens that the models wrote.'),
      })
      .describe('The totals of agent and tutor.'),
    breakdown: z
      .object({
        aiAgent: z.object({ sessions: z.number().int().describe('Number of chats.'), ...spent }).describe('The agent’s share.'),
        aiTutor: z.object({ interactions: z.number().int().describe('Number of questions.'), ...spent }).describe('The tutors’ share.'),
      })
      .describe('The same, separately.'),
  })
  .register(NAMES, { id: 'AiUsage', description: 'Tokens and cost of agent and tutor.' });

export const getAiUsage = defineOperation({
  operationId: 'getAiUsage',
  summary: 'Get AI usage',
  description: 'Returns the tokens and the cost of agent and tutor.',
  tag: 'Agent',
  sdk: 'agent.usage',
  route: 'GET /v1/ai-agent/usage/summary',
  auth: 'organization',
  scope: 'ai:use',
  service: 'ai',
  rpc: 'agent.usage',
  query: usageRange,
  input: z.object({ organizationId, startDate: z.string().optional(), endDate: z.string().optional() }),
  output: usageSummary,
  example: {},
});
