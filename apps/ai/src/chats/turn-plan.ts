import { AppError, type Modality } from '@classroom/contracts';
import type { Transaction } from '@classroom/persistence';
import type { DecodedQuestion } from '../inputs/read-question.js';
import type { AiProvider } from '../models/ai-provider.js';
import type { OrganizationAi } from '../providers/providers.js';
import type { ChatName } from './chat-name.js';
import type { EndedTurn, NewTurn } from './turn.js';

/** The requested form of the answer. */
export interface AnswerOptions {
  responseModality: Modality;
  /** True for a caller that reads only the finished answer: one sound at the end, and always the text too. */
  isWhole: boolean;
  voiceName?: string | undefined;
  /** Why the answer is less than the caller asked for. */
  message?: string | undefined;
}

/** What the model gets with a question. */
export interface TurnContext {
  instructions: string;
  /** What people said. It is sent with the question, because a model obeys its instructions. Empty if there is none. */
  quoted: string;
}

/** The part of a turn that differs between the agent and the tutor. */
export interface TurnPlan {
  chat: ChatName;
  ai: OrganizationAi;
  input: DecodedQuestion;
  options: AnswerOptions;
  context(question: string): Promise<TurnContext>;
  /** Whether the model may begin its answer with a mark that says that it does not know. */
  usesNoAnswerMarker: boolean;
  /** `onOpened` runs in the transaction that begins the turn, `onEnded` in the one that ends it. */
  onOpened?(tx: Transaction, turn: NewTurn): Promise<void>;
  onEnded?(tx: Transaction, turn: EndedTurn): Promise<void>;
  /** Runs after the turn has ended. */
  afterEnd?(turn: EndedTurn): void;
}

const NO_SPEECH = 'There is no audio: no text-to-speech model is configured, and the local synthesizer (espeak-ng) is not installed.';

/**
 * Reduces the request to what the provider can do: without a synthesizer, `both` becomes `text`.
 * @throws AppError AI_UNAVAILABLE if only audio was requested and there is no synthesizer
 */
export function limitToCapabilities(options: AnswerOptions, provider: AiProvider): AnswerOptions {
  if (options.responseModality === 'text' || provider.can('textToSpeech')) return options;
  if (options.responseModality === 'audio') throw new AppError('AI_UNAVAILABLE', { message: 'Speech is not available; ask for text' });
  return { ...options, responseModality: 'text', message: NO_SPEECH };
}
