import type { Poll } from '@classroom/contracts';
import type { Input } from '../session/session.js';
import { isVisible, toSent } from '../ui/visible.js';

export interface PollDraft {
  question: string;
  options: readonly { key: number; text: string }[];
  /** Key of the option that is marked as correct. */
  correct: number | undefined;
  /** Whether students see the votes only once the poll is closed. */
  hideResult: boolean;
}

export const MIN_OPTIONS = 2;
export const MAX_OPTIONS = 10;
export const MAX_QUESTION_LENGTH = 300;
export const MAX_OPTION_LENGTH = 120;

export const EMPTY_DRAFT: PollDraft = {
  question: '',
  options: [
    { key: 0, text: '' },
    { key: 1, text: '' },
  ],
  correct: undefined,
  hideResult: false,
};

export function withOption(draft: PollDraft): PollDraft {
  const key = draft.options.reduce((last, { key }) => Math.max(last, key), -1) + 1;
  return { ...draft, options: [...draft.options, { key, text: '' }] };
}

export const withoutOption = (draft: PollDraft, key: number): PollDraft => ({
  ...draft,
  options: draft.options.filter((option) => option.key !== key),
  correct: draft.correct === key ? undefined : draft.correct,
});

/** Marks an option as correct, instead of another one; or no longer. */
export const toggleCorrect = (draft: PollDraft, key: number): PollDraft => ({ ...draft, correct: draft.correct === key ? undefined : key });

export const changeOption = (draft: PollDraft, key: number, text: string): PollDraft => ({
  ...draft,
  options: draft.options.map((option) => (option.key === key ? { key, text } : option)),
});

const filledOf = ({ options }: PollDraft) =>
  options.map(({ key, text }) => ({ key, text: toSent(text) })).filter(({ text }) => isVisible(text));

/** Whether two options are the same text, which the service refuses. */
export function hasSameOptions(draft: PollDraft): boolean {
  const texts = filledOf(draft).map(({ text }) => text.normalize());
  return new Set(texts).size < texts.length;
}

/** Empty fields are not options. Returns undefined without a question, with too few options or with the same option twice. */
export function toPollInput(draft: PollDraft): Input<'createPoll'> | undefined {
  const [question, filled] = [toSent(draft.question), filledOf(draft)];
  if (!isVisible(question) || filled.length < MIN_OPTIONS || hasSameOptions(draft)) return undefined;
  const correctOption = filled.findIndex(({ key }) => key === draft.correct);
  return {
    question,
    options: filled.map(({ text }) => text),
    ...(draft.hideResult && { hideResult: true }),
    ...(correctOption >= 0 && { correctOption }),
  };
}

/** The same poll once more. */
export const toRepeatedPoll = ({ question, options, hideResult, correctOption }: Poll): Input<'createPoll'> => ({
  question,
  options: options.map(({ text }) => text),
  ...(hideResult && { hideResult }),
  ...(correctOption !== undefined && { correctOption }),
});

/** The share of the votes, 0 to 1. */
export const voteShare = (votes: number, total: number) => (total === 0 ? 0 : votes / total);
