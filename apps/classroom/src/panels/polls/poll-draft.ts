import type { Input } from '../../class/api.js';

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

/** Empty fields are not options. Returns undefined without a question or with too few options. */
export function toPollInput({ question, options }: PollDraft): Input<'createPoll'> | undefined {
  const texts = options.map(({ text }) => text.trim()).filter((text) => text !== '');
  return question.trim() !== '' && texts.length >= MIN_OPTIONS ? { question: question.trim(), options: texts } : undefined;
}
