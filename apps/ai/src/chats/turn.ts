import type { TurnEntity } from '../schema/turn.entity.js';
import type { Outcome } from '../usage/usage-entry.js';

export type NewTurn = Omit<TurnEntity, 'answer' | 'state' | 'finishedAt'>;

export interface EndedTurn extends NewTurn {
  outcome: Outcome;
  answer: string;
  /** The model said that it does not know the answer. */
  isUnknown: boolean;
  /** The answer is incomplete, and not because its reader left. */
  isInterrupted: boolean;
}
