import { numberToType, shorterIn } from './shorter-retention.js';

describe('a change of retention', () => {
  const saved = { chat: 365, polls: 365, recordings: 6 };

  it('asks for what becomes shorter, and for nothing else', () => {
    expect(shorterIn(saved, { chat: 7, polls: 400, recordings: 6 })).toEqual([{ dataClass: 'chat', before: 365, kept: 7 }]);
    expect(shorterIn(saved, { chat: Number.NaN })).toEqual([]);
    expect(shorterIn(saved, {})).toEqual([]);
  });

  it.each([
    ['nothing is erased', [{ erased: 0, stored: 0 }], undefined],
    ['nine of ten are', [{ erased: 9, stored: 10 }], undefined],
    ['more than that are', [{ erased: 91, stored: 100 }], 91],
    [
      'all are, of several classes',
      [
        { erased: 3, stored: 3 },
        { erased: 500, stored: 1_000 },
        { erased: 40, stored: 40 },
      ],
      40,
    ],
  ])('has to be confirmed by a number where more than 90 %% of a class is erased: %s', (_, effects, expected) => {
    expect(numberToType(effects)).toBe(expected);
  });
});
