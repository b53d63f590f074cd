import { cosine, groupByMeaning, type QuestionGroup } from './group-questions.js';

const group = (
  question: string,
  frequency: number,
  minute: number,
  embedding: number[] | null = null,
  answer = `Answer to ${question}`,
): QuestionGroup => ({
  question,
  answer,
  frequency,
  lastAskedAt: new Date(Date.UTC(2026, 0, 31, 10, minute)),
  embedding,
});

describe('the most frequent questions of a class', () => {
  it('are ordered by frequency, and equal ones by the latest', () => {
    const sorted = groupByMeaning([group('a', 1, 1), group('b', 3, 1), group('c', 1, 2)]);
    expect(sorted.map(({ question, frequency }) => [question, frequency])).toEqual([
      ['b', 3],
      ['c', 1],
      ['a', 1],
    ]);
  });

  it('are counted together if they are rephrased, under the most frequent wording, with the latest answer', () => {
    const [first, ...rest] = groupByMeaning([
      group('what is light', 2, 1, [1, 0.1]),
      group('explain light', 1, 5, [1, 0.12]),
      group('cells', 1, 1, [0, 1]),
    ]);
    expect(first).toMatchObject({ question: 'what is light', frequency: 3, answer: 'Answer to explain light' });
    expect(rest).toHaveLength(1);
  });

  it('have no empty answer as the latest', () => {
    const [first] = groupByMeaning([group('a', 2, 1, [1, 0]), group('b', 1, 5, [1, 0], '')]);
    expect(first?.answer).toBe('Answer to a');
    expect(groupByMeaning([group('a', 2, 1, [1, 0], ''), group('b', 1, 0, [1, 0])])[0]?.answer).toBe('Answer to b');
  });

  it('are not compared by vectors of different models or by empty ones', () => {
    expect(cosine([1, 0], [1, 0, 0])).toBe(-1);
    expect(cosine([0, 0], [1, 0])).toBe(-1);
    expect(cosine(null, [1])).toBe(-1);
    expect(cosine([2, 0], [1, 0])).toBeCloseTo(1);
  });
});
