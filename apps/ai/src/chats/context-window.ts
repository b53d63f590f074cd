import type { SpokenTurn } from '../models/ai-provider.js';
import { estimateTokens } from '../models/token-estimate.js';
import type { TurnRow } from './chats.repository.js';

const EXTRACT_CHARACTERS = 160;
const EXTRACTS_AT_MOST = 40;

/** Shares of the tokens that a dialogue may fill. Above FULL, older turns are summarized until the rest fills at most AFTER_SUMMARY. */
const FULL = 3 / 4;
const AFTER_SUMMARY = 1 / 2;

/** Converts a turn for the model. A missing or incomplete answer is marked as such, because models reject empty answers. */
export function toSpoken({ question, answer, hasImage, state }: TurnRow): SpokenTurn {
  const isWhole = state === 'finished';
  const said = answer.trim() === '' ? '(no answer was given)' : isWhole ? answer : `${answer} (the answer broke off here)`;
  return { question: hasImage ? `${question}\n(An image was shown.)` : question, answer: said };
}

const weightOf = (turn: TurnRow) => {
  const { question, answer } = toSpoken(turn);
  return estimateTokens(question) + estimateTokens(answer);
};

/** Splits the turns into the newest ones that fit into `tokens`, without a gap, and the older ones. */
export function fitTurns(turns: readonly TurnRow[], tokens: number): { told: TurnRow[]; cut: TurnRow[] } {
  let left = tokens;
  let first = turns.length;
  for (let index = turns.length - 1; index >= 0; index--) {
    const turn = turns[index];
    if (!turn || (left -= weightOf(turn)) < 0) break;
    first = index;
  }
  return { told: turns.slice(first), cut: turns.slice(0, first) };
}

/** The older turns to summarize now, before they would have to be cut. Empty while there is room. */
export function dueForSummary(turns: readonly TurnRow[], tokens: number): TurnRow[] {
  const weight = turns.reduce((sum, turn) => sum + weightOf(turn), 0);
  return weight > tokens * FULL ? fitTurns(turns, tokens * AFTER_SUMMARY).cut : [];
}

/** A summary without a model: the beginning of each question and answer. */
export function extractOf(turns: readonly TurnRow[]): string {
  const told = turns.slice(-EXTRACTS_AT_MOST).map((turn) => {
    const { question, answer } = toSpoken(turn);
    return `- Asked: ${shorten(question)} Answered: ${shorten(answer)}`;
  });
  return told.join('\n');
}

/** The text on one line of at most `characters` characters, ended between words if possible. */
export function shorten(text: string, characters = EXTRACT_CHARACTERS): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  if (line.length <= characters) return line;
  const cut = line.slice(0, characters).toWellFormed();
  return `${cut.includes(' ') ? cut.slice(0, cut.lastIndexOf(' ')) : cut}…`;
}
