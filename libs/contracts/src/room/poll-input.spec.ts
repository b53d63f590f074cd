import { pollInput } from './class-state.js';

const problemsOf = (...options: string[]) =>
  pollInput.safeParse({ question: 'Why?', options }).error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`) ?? [];

describe('the options of a poll', () => {
  it.each([
    ['A', 'A'],
    ['A', 'A '],
    ['Zoë', 'Zoe\u0308'],
  ])('differ: %j and %j do not, and the second is named', (one, other) => {
    expect(problemsOf('B', one, other)).toEqual(['options.2 must differ from the other options']);
  });

  it('differ by case, and each repetition is named', () => {
    expect(problemsOf('A', 'a', 'Ａ')).toEqual([]);
    expect(problemsOf('A', 'A', 'A')).toHaveLength(2);
  });
});
