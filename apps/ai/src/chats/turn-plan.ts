import { AppError, type Modality } from '@classroom/contracts';
import type { Transaction } from '@classroom/persistence';
import type { DecodedQuestion } from '../inputs/read-question.js';
import type { AiProvider } from '../models/ai-provider.js';
import type { OrganizationAi } from '../providers/providers.js';
import type { TurnEntity } from '../schema/turn.entity.js';
import type { Outcome } from '../usage/usage-entry.js';

/** Identifies a dialogue: `name` is the caller's chatId, or the room's sid and the student's uid. */
export interface ChatName {
  organizationId: string;
  kind: 'agent' | 'tutor';
  name: string;
  /** Whose dialogue it is: the student, or the participant whom an agent's caller names. */
  uid: string | null;
  room: { sid: string; roomId: string } | null;
}

export const agentChatName = (organizationId: string, chatId: string, participantUid: string | undefined): ChatName => ({
  organizationId,
  kind: 'agent',
  name: chatId,
  uid: participantUid ?? null,
  room: null,
});

/** The slash is an unambiguous separator: no sid and no uid contains one. */
export const tutorChatName = (organizationId: string, studentUid: string, room: { sid: string; roomId: string }): ChatName => ({
  organizationId,
  kind: 'tutor',
  name: `${room.sid}/${studentUid}`,
  uid: studentUid,
  room,
});

export type NewTurn = Omit<TurnEntity, 'answer' | 'state' | 'finishedAt'>;

export interface EndedTurn extends NewTurn {
  outcome: Outcome;
  answer: string;
  /** The model said that it does not know the answer. */
  isUnknown: boolean;
  /** The answer is incomplete, and not because its reader left. */
  isInterrupted: boolean;
}

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
