import type { AiTask } from '@classroom/contracts';

/** One question and answer of a dialogue, as sent to a model. */
export interface DialogueTurn {
  question: string;
  answer: string;
}

export interface ChatRequest {
  /** The model's role, its knowledge, and what it must not say. */
  instructions: string;
  /** Oldest first. The instructions contain a summary of the turns before them. */
  turns: readonly DialogueTurn[];
  question: string;
  image?: { bytes: Uint8Array; mimeType: string };
  maxOutputTokens: number;
}

/** The usage of one call, as the provider reports it, or our own count (`isEstimated`) if the provider reports none. */
export interface ModelUsage {
  inputTokens: number;
  outputTokens: number;
  isEstimated: boolean;
  audioSeconds: number;
  characters: number;
}

/** The model that answered: the fallback's name if the fallback answered. */
export interface ModelName {
  provider: string;
  model: string;
}

/** A model's answer as text chunks. `used` returns the correct usage at any time, even for a call that is cut off. */
export interface ChatAnswer extends AsyncIterable<string> {
  readonly by: ModelName;
  used(): ModelUsage;
  /** Milliseconds from the call to the first token; undefined until then. */
  readonly firstTokenMs: number | undefined;
  /** True if the question had a picture that this model can't see. */
  readonly isImageIgnored: boolean;
}

/** PCM 16, mono. */
export interface PcmAudio {
  samples: Buffer;
  sampleRate: number;
}

export interface Voice {
  voiceName: string;
  language: string;
  isDefault: boolean;
}

/**
 * The models of one organization behind one interface. When its signal fires, a call and the provider's request end within milliseconds.
 * @throws AppError AI_UNAVAILABLE if no model answers before its first token, or a model breaks off
 */
export interface AiProvider {
  /** Resolves with the first token, or with the end of an empty answer, so that a provider's refusal is an error of this call. */
  chat(request: ChatRequest, signal: AbortSignal): Promise<ChatAnswer>;
  /** @param wav RIFF, PCM 16 */
  transcribe(wav: Uint8Array, signal: AbortSignal): Promise<{ text: string; by: ModelName; used: ModelUsage }>;
  synthesize(
    text: string,
    voiceName: string | undefined,
    signal: AbortSignal,
  ): Promise<{ audio: PcmAudio; by: ModelName; used: ModelUsage }>;
  /** Resolves to undefined if no embedding model is configured. */
  embed(texts: string[], signal: AbortSignal): Promise<{ vectors: number[][]; by: ModelName; used: ModelUsage } | undefined>;
  voices(): Promise<Voice[]>;
  /** Whether the task is available: a model is configured for it or, for speech and its recognition, a local program is installed. */
  can(task: AiTask): boolean;
  /** True if the offline provider answers chats. */
  readonly isOffline: boolean;
}

/** Marks an answer to a question that goes beyond what the tutor knows of the class. It is the very beginning of the answer, and is not shown. */
export const NO_ANSWER_MARKER = '[unknown]';
/** A line of the instructions for who answers without a model: the page around the answer states that none is configured. */
export const LABELLED_BY_PAGE = '# The page states that no AI model is configured';
