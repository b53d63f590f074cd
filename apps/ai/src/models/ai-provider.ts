import type { AiTask } from '@classroom/contracts';

/** One exchange of a dialogue as a model is told it. */
export interface SpokenTurn {
  question: string;
  answer: string;
}

export interface ChatRequest {
  /** Who the model is, what it knows and what it must not say. */
  instructions: string;
  /** Oldest first; what came before them is in the instructions as a summary. */
  turns: readonly SpokenTurn[];
  question: string;
  image?: { bytes: Uint8Array; mimeType: string };
  maxOutputTokens: number;
}

/** What a call used, as the provider told it or, where it told nothing, as we counted. */
export interface ModelUsage {
  inputTokens: number;
  outputTokens: number;
  isEstimated: boolean;
  audioSeconds: number;
  characters: number;
}

/** Which model did it: the fallback's, where that one answered. */
export interface ModelName {
  provider: string;
  model: string;
}

/** A model's words as they come. `used` is right at every instant, a call that is cut off included. */
export interface ChatAnswer extends AsyncIterable<string> {
  readonly by: ModelName;
  used(): ModelUsage;
  /** Milliseconds from the call to the first word; undefined until then. */
  readonly firstTokenMs: number | undefined;
  /** The question had a picture, and this model can't see. */
  readonly isBlind: boolean;
}

/** PCM 16, mono. */
export interface Sound {
  samples: Buffer;
  sampleRate: number;
}

export interface Voice {
  voiceName: string;
  language: string;
  isDefault: boolean;
}

/**
 * The models of one organization behind one port. Every call ends when its signal fires, and the provider's request with
 * it, within milliseconds. @throws AppError AI_UNAVAILABLE where no model answers before its first word, or one breaks off
 */
export interface AiProvider {
  /** Resolves with the first word (or the end of an empty answer), so that a refusal is an error of its own. */
  chat(request: ChatRequest, signal: AbortSignal): Promise<ChatAnswer>;
  /** @param wav RIFF, PCM 16 */
  transcribe(wav: Uint8Array, signal: AbortSignal): Promise<{ text: string; by: ModelName; used: ModelUsage }>;
  speak(text: string, voiceName: string | undefined, signal: AbortSignal): Promise<{ sound: Sound; by: ModelName; used: ModelUsage }>;
  /** Undefined where no embedding model is configured. */
  embed(texts: string[], signal: AbortSignal): Promise<{ vectors: number[][]; by: ModelName; used: ModelUsage } | undefined>;
  voices(): Promise<Voice[]>;
  /** Whether the task is done by a model that was configured for it. Offline, a program of this machine speaks and another hears. */
  can(task: AiTask): boolean;
  /** True where the offline provider answers. */
  readonly isOffline: boolean;
}

/** Says that the question is beyond what the tutor knows of the class: stands at the very beginning of an answer, and is not shown. */
export const UNKNOWN_MARK = '[unknown]';
