import type { ChatAnswer, ChatRequest, ModelName, ModelUsage, Sound, Voice } from './ai-provider.js';

/** One model, or several of which the next answers where the one before could not. */
export interface Chatter {
  readonly name: ModelName;
  answer(request: ChatRequest, signal: AbortSignal): Promise<ChatAnswer>;
}

export interface Listener {
  readonly name: ModelName;
  /** It was looked for and not found. */
  readonly isMissing: boolean;
  hear(wav: Uint8Array, signal: AbortSignal): Promise<{ text: string; inputTokens?: number; outputTokens?: number }>;
}

export interface Speaker {
  readonly name: ModelName;
  speak(text: string, voiceName: string | undefined, signal: AbortSignal): Promise<Sound>;
  voices(): Promise<Voice[]>;
  /** It was looked for and not found. */
  readonly isMissing: boolean;
  /** @throws AppError VALIDATION_FAILED that names `voiceName`, where it is certain that there is none of that name */
  check(voiceName: string | undefined): Promise<void>;
}

export interface Embedder {
  readonly name: ModelName;
  embed(texts: string[], signal: AbortSignal): Promise<{ vectors: number[][]; tokens: number | undefined }>;
}

export const NO_USAGE: ModelUsage = { inputTokens: 0, outputTokens: 0, isEstimated: false, audioSeconds: 0, characters: 0 };
