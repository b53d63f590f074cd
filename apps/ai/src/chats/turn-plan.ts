import { AppError, type Modality } from '@classroom/contracts';
import type { Transaction } from '@classroom/persistence';
import type { GivenQuestion } from '../inputs/read-question.js';
import type { AiProvider } from '../models/ai-provider.js';
import type { OrganizationAi } from '../providers/providers.js';
import type { ChatName } from './chat-name.js';
import type { EndedTurn, NewTurn } from './turn.js';

/** How the answer is wanted. */
export interface Wanted {
  responseModality: Modality;
  /** One sound at the end, for who does not read as it comes: the text comes along then in any case. */
  isWhole: boolean;
  voiceName?: string | undefined;
  /** Why it is less than the caller asked for. */
  message?: string | undefined;
}

/** What makes a turn the agent's or the tutor's; all else they have in common. */
export interface TurnPlan {
  chat: ChatName;
  ai: OrganizationAi;
  given: GivenQuestion;
  wanted: Wanted;
  instructions(question: string): Promise<string>;
  /** Where the model may say by a mark that it does not know. */
  isMarked: boolean;
  /** In the transaction that begins the turn, and in the one that ends it. */
  opened?(tx: Transaction, turn: NewTurn): Promise<void>;
  ended?(tx: Transaction, turn: EndedTurn): Promise<void>;
  /** When it has ended. */
  after?(turn: EndedTurn): void;
}

const NO_SPEECH = 'There is no audio: no text-to-speech model is configured, and the local synthesizer (espeak-ng) is not installed.';

/**
 * Where nothing can speak, who wants both is content with the text.
 * @throws AppError AI_UNAVAILABLE where sound alone was wanted
 */
export function possible(wanted: Wanted, provider: AiProvider): Wanted {
  if (wanted.responseModality === 'text' || provider.can('textToSpeech')) return wanted;
  if (wanted.responseModality === 'audio') throw new AppError('AI_UNAVAILABLE', { message: 'Speech is not available; ask for text' });
  return { ...wanted, responseModality: 'text', message: NO_SPEECH };
}
