import { z } from 'zod';
import { NAMES } from '../kernel/reference.js';

export const aiProvider = z.enum(['openai-compatible', 'google', 'anthropic', 'offline']);

/** The form of a question, or of the answer that the caller wants. */
export const modality = z.enum(['text', 'audio', 'both']);
export type Modality = z.infer<typeof modality>;

export const tokenUsage = z
  .object({
    inputTokens: z.number().int().describe('Tokens that the models read.'),
    outputTokens: z.number().int().describe('Tokens that the models wrote.'),
  })
  .register(NAMES, { id: 'TokenUsage', description: 'Tokens of the models.' });
export type TokenUsage = z.infer<typeof tokenUsage>;

/** Each audio event is a complete WAV file (RIFF, PCM 16-bit, mono) in base64. */
export const AUDIO_MIME_TYPE = 'audio/wav';

/**
 * One event of an answer on its way from the AI service to the gateway, sent as one line of JSON. `begun` is the first event; the
 * AI service sends it when the model produces its first text. `usage` is the last event. If the caller asked for speech, the
 * audio of each sentence follows its text.
 */
export const aiEvent = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('begun'),
    provider: z.string(),
    model: z.string(),
    /** Index of the turn in its chat, from 0. */
    dialogIndex: z.number().int(),
    requestModality: modality,
    responseModality: modality,
    /** Id of the stored question, for "ask the teacher". */
    questionId: z.string().optional(),
    /** Why the answer is less than the caller asked for, if this is known when the answer begins. */
    message: z.string().optional(),
  }),
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('audio'), audio: z.string(), mimeType: z.literal(AUDIO_MIME_TYPE) }),
  z.object({
    type: z.literal('usage'),
    usage: tokenUsage.extend({ latencyMs: z.number().int() }),
    /** Why the answer is less than the caller asked for, if this became known during the answer. */
    message: z.string().optional(),
  }),
]);
export type AiEvent = z.infer<typeof aiEvent>;

/** An input that is too large for a message. It is stored in the object storage under a key that only its sender can form. */
export const claimedInput = z.object({ key: z.string().regex(/^ai-inputs\/[a-f0-9]{24}\/[a-f0-9-]{36}$/) });
export const claimedImage = claimedInput.extend({ mimeType: z.string() });
