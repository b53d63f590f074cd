import { AppError, type Modality } from '@classroom/contracts';
import type { Transaction } from '@classroom/persistence';
import type { GivenQuestion } from '../inputs/read-question.js';
import type { AiProvider } from '../models/ai-provider.js';
import type { OrganizationAi } from '../providers/providers.js';
import type { ChatName } from './chat-name.js';
import type { EndedTurn, NewTurn } from './turn.js';

/** The requested form of the answer. */
export interface Wanted {
  responseModality: Modality;
  /** True for a caller that reads only the finished answer: one sound at the end, and always the text too. */
  isWhole: boolean;
  voiceName?: string | undefined;
  /** Why the answer is less than the caller asked for. */
  message?: string | undefined;
}

/** The part of a turn that differs between the agent and the tutor. */
export interface TurnPlan {
  chat: ChatName;
  ai: OrganizationAi;
  given: GivenQuestion;
  wanted: Wanted;
  instructions(question: string): Promise<string>;
  /** Whether the model may begin its answer with a mark that says that it does not know. */
  isMarked: boolean;
  /** `opened` runs in the transaction that begins the turn, `ended` in the one that ends it. */
  opened?(tx: Transaction, turn: NewTurn): Promise<void>;
  ended?(tx: Transaction, turn: EndedTurn): Promise<void>;
  /** Runs after the turn has ended. */
  after?(turn: EndedTurn): void;
}

const NO_SPEECH = 'There is no audio: no text-to-speech model is configured, and the local synthesizer (espeak-ng) is not installed.';

/**
 * Reduces the request to what the provider can do: without a synthesizer, `both` becomes `text`.
 * @throws AppError AI_UNAVAILABLE if only audio was requested and there is no synthesizer
 */
export function possible(wanted: Wanted, provider: AiProvider): Wanted {
  if (wanted.responseModality === 'text' || provider.can('textToSpeech')) return wanted;
  if (wanted.responseModality === 'audio') throw new AppError('AI_UNAVAILABLE', { message: 'Speech is not available; ask for text' });
  return { ...wanted, responseModality: 'text', message: NO_SPEECH };
}
