import type { Input } from '../../class/api.js';
import { isVisible } from '../parts/visible.js';

export interface PollDraft {
  question: string;
  options: readonly { key: number; text: string }[];
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
};

export function withOption({ question, options }: PollDraft): PollDraft {
  const key = options.reduce((last, { key }) => Math.max(last, key), -1) + 1;
  return { question, options: [...options, { key, text: '' }] };
}

export const withoutOption = (draft: PollDraft, key: number): PollDraft => ({
  ...draft,
  options: draft.options.filter((option) => option.key !== key),
});

export const changeOption = (draft: PollDraft, key: number, text: string): PollDraft => ({
  ...draft,
  options: draft.options.map((option) => (option.key === key ? { key, text } : option)),
});

const textsOf = ({ options }: PollDraft) => options.map(({ text }) => text.trim()).filter(isVisible);

/** Whether two options are the same text, which the service refuses. */
export function hasSameOptions(draft: PollDraft): boolean {
  const texts = textsOf(draft).map((text) => text.normalize());
  return new Set(texts).size < texts.length;
}

/** Empty fields are not options. Returns undefined without a question, with too few options or with the same option twice. */
export function toPollInput(draft: PollDraft): Input<'createPoll'> | undefined {
  const [question, options] = [draft.question.trim(), textsOf(draft)];
  return isVisible(question) && options.length >= MIN_OPTIONS && !hasSameOptions(draft) ? { question, options } : undefined;
}
