import { z } from 'zod';

export const aiProvider = z.enum(['openai-compatible', 'google', 'anthropic', 'offline']);
export type AiProviderName = z.infer<typeof aiProvider>;

/** What came in, or is wanted back. */
export const modality = z.enum(['text', 'audio', 'both']);
export type Modality = z.infer<typeof modality>;

export const tokenUsage = z.object({ inputTokens: z.number().int(), outputTokens: z.number().int() });
export type TokenUsage = z.infer<typeof tokenUsage>;

/** A WAV of its own (RIFF, PCM 16, mono), base64. */
export const AUDIO_MIME_TYPE = 'audio/wav';

/**
 * One answer as it travels from the AI service to the gateway: a line of JSON each, `begun` first and with the model's first
 * words, `usage` last. Where speech was asked for, each sentence follows its text.
 */
export const aiEvent = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('begun'),
    provider: z.string(),
    model: z.string(),
    /** Counts a chat's turns from 0. */
    dialogIndex: z.number().int(),
    requestModality: modality,
    responseModality: modality,
    /** The question as kept, for "ask the teacher". */
    questionId: z.string().optional(),
    /** Why the answer is less than was asked for, where that is known at its beginning. */
    message: z.string().optional(),
  }),
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('audio'), audio: z.string(), mimeType: z.literal(AUDIO_MIME_TYPE) }),
  z.object({
    type: z.literal('usage'),
    usage: tokenUsage.extend({ latencyMs: z.number().int() }),
    /** The same, where it became known on the way. */
    message: z.string().optional(),
  }),
]);
export type AiEvent = z.infer<typeof aiEvent>;

/** An input too large for a message lies in the object storage under a key that only its sender could make. */
export const claimedInput = z.object({ key: z.string().regex(/^ai-inputs\/[a-f0-9]{24}\/[a-f0-9-]{36}$/) });
export const claimedImage = claimedInput.extend({ mimeType: z.string() });
