import {
  changeOption,
  EMPTY_DRAFT,
  hasSameOptions,
  toggleCorrect,
  toPollInput,
  toRepeatedPoll,
  withOption,
  withoutOption,
  voteShare,
} from './poll-draft.js';

describe('a poll draft', () => {
  const filled = changeOption(changeOption({ ...EMPTY_DRAFT, question: ' Why? ' }, 0, ' yes'), 1, 'no ');

  it('is a poll once it has a question and two answers', () => {
    expect(toPollInput(EMPTY_DRAFT)).toBeUndefined();
    expect(toPollInput(changeOption(filled, 1, ' '))).toBeUndefined();
    expect(toPollInput({ ...filled, question: ' ' })).toBeUndefined();
    expect(toPollInput(filled)).toEqual({ question: 'Why?', options: ['yes', 'no'] });
  });

  it.each([
    ['yes', 'yes '],
    ['Zoe\u0308', 'Zoë'],
  ])('is no poll with %j and %j as answers', (one, other) => {
    const same = changeOption(changeOption(filled, 0, one), 1, other);
    expect([hasSameOptions(same), toPollInput(same)]).toEqual([true, undefined]);
    const different = changeOption(same, 1, one.toUpperCase());
    expect([hasSameOptions(different), toPollInput(different)?.options]).toEqual([false, [one, one.toUpperCase()]]);
  });

  it('is no poll with a question or answers that are not seen', () => {
    expect([hasSameOptions(EMPTY_DRAFT), hasSameOptions(filled)]).toEqual([false, false]);
    expect(toPollInput({ ...filled, question: '\u3164' })).toBeUndefined();
    expect(toPollInput(changeOption(filled, 1, '\u200b'))).toBeUndefined();
  });

  it('leaves out empty fields', () => {
    expect(toPollInput(withOption(filled))?.options).toEqual(['yes', 'no']);
  });

  it('has one correct answer at most, which keeps its place among the filled fields', () => {
    const draft = toggleCorrect(toggleCorrect(changeOption(withOption(changeOption(filled, 0, '')), 2, 'maybe'), 0), 2);
    expect(toPollInput(draft)).toEqual({ question: 'Why?', options: ['no', 'maybe'], correctOption: 1 });
    expect(toPollInput(toggleCorrect(draft, 0))).toEqual({ question: 'Why?', options: ['no', 'maybe'] });
    for (const none of [toggleCorrect(draft, 2), withoutOption(withOption(draft), 2)]) expect(none.correct).toBeUndefined();
  });

  it('becomes the same poll again', () => {
    const input = { ...toPollInput(toggleCorrect(filled, 0))!, hideResult: true };
    const options = input.options.map((text) => ({ text, votes: 3 }));
    expect(toRepeatedPoll({ ...input, options } as Parameters<typeof toRepeatedPoll>[0])).toEqual(input);
  });

  it('never gives two fields the same key', () => {
    const draft = withOption(withoutOption(withOption(filled), 1));
    expect(draft.options.map(({ key }) => key)).toEqual([0, 2, 3]);
  });
});

it('a share of no votes is 0', () => {
  expect(voteShare(0, 0)).toBe(0);
  expect(voteShare(1, 4)).toBe(0.25);
});
