import type { ChatAnswer, ChatRequest, ModelName, ModelUsage, PcmAudio, Voice } from './ai-provider.js';

/** One model, or a model and a fallback that answers if the first one fails. */
export interface ChatCompleter {
  readonly name: ModelName;
  answer(request: ChatRequest, signal: AbortSignal): Promise<ChatAnswer>;
}

export interface SpeechRecognizer {
  readonly name: ModelName;
  /** The program was searched and not found. */
  readonly isMissing: boolean;
  transcribe(wav: Uint8Array, signal: AbortSignal): Promise<{ text: string; inputTokens?: number; outputTokens?: number }>;
}

export interface SpeechSynthesizer {
  readonly name: ModelName;
  synthesize(text: string, voiceName: string | undefined, signal: AbortSignal): Promise<PcmAudio>;
  voices(): Promise<Voice[]>;
  /** The program was searched and not found. */
  readonly isMissing: boolean;
  /** @throws AppError VALIDATION_FAILED that names `voiceName`, if it is certain that no such voice exists */
  checkVoice(voiceName: string | undefined): Promise<void>;
}

export interface Embedder {
  readonly name: ModelName;
  embed(texts: string[], signal: AbortSignal): Promise<{ vectors: number[][]; tokens: number | undefined }>;
}

export const NO_USAGE: ModelUsage = { inputTokens: 0, outputTokens: 0, isEstimated: false, audioSeconds: 0, characters: 0 };
