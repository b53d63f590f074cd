import type { DialogueTurn } from '../models/ai-provider.js';
import { estimateTokens } from '../models/token-estimate.js';
import type { TurnRow } from './chats.repository.js';

const EXTRACT_CHARACTERS = 160;
const MAX_EXTRACTS = 40;

/** Shares of the tokens that a dialogue may fill. Above SUMMARIZE_ABOVE, older turns are summarized until the rest fills at most AFTER_SUMMARY. */
const SUMMARIZE_ABOVE = 3 / 4;
const AFTER_SUMMARY = 1 / 2;

/** Converts a turn for the model. A missing or incomplete answer is marked as such, because models reject empty answers. */
export function toDialogueTurn({ question, answer, hasImage, state }: TurnRow): DialogueTurn {
  const isWhole = state === 'finished';
  const said = answer.trim() === '' ? '(no answer was given)' : isWhole ? answer : `${answer} (the answer broke off here)`;
  return { question: hasImage ? `${question}\n(An image was shown.)` : question, answer: said };
}

const tokensOf = (turn: TurnRow) => {
  const { question, answer } = toDialogueTurn(turn);
  return estimateTokens(question) + estimateTokens(answer);
};

/** Splits the turns into the newest ones that fit into `tokens`, without a gap, and the older ones. */
export function fitTurns(turns: readonly TurnRow[], tokens: number): { included: TurnRow[]; omitted: TurnRow[] } {
  let left = tokens;
  let first = turns.length;
  for (let index = turns.length - 1; index >= 0; index--) {
    const turn = turns[index];
    if (!turn || (left -= tokensOf(turn)) < 0) break;
    first = index;
  }
  return { included: turns.slice(first), omitted: turns.slice(0, first) };
}

/** The older turns to summarize now, before they would have to be cut. Empty while there is room. */
export function dueForSummary(turns: readonly TurnRow[], tokens: number): TurnRow[] {
  const weight = turns.reduce((sum, turn) => sum + tokensOf(turn), 0);
  return weight > tokens * SUMMARIZE_ABOVE ? fitTurns(turns, tokens * AFTER_SUMMARY).omitted : [];
}

/** A summary without a model: the beginning of each question and answer. */
export function toExtract(turns: readonly TurnRow[]): string {
  const included = turns.slice(-MAX_EXTRACTS).map((turn) => {
    const { question, answer } = toDialogueTurn(turn);
    return `- Asked: ${shorten(question)} Answered: ${shorten(answer)}`;
  });
  return included.join('\n');
}

/** The text on one line of at most `characters` characters, ended between words if possible. */
export function shorten(text: string, characters = EXTRACT_CHARACTERS): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  if (line.length <= characters) return line;
  const omitted = line.slice(0, characters).toWellFormed();
  return `${omitted.includes(' ') ? omitted.slice(0, omitted.lastIndexOf(' ')) : omitted}…`;
}
