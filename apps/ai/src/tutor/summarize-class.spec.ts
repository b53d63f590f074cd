import { plainSummary } from './summarize-class.js';

const group = (question: string, frequency: number) => ({ question, answer: '', frequency, lastAskedAt: new Date(0), embedding: null });
const stats = (questions: number, students: number) => ({ questions, students, lastAskedAt: new Date(0) });

describe('a class’s questions without a model', () => {
  it('are counted', () => {
    expect(plainSummary(stats(5, 3), [group('What is light?', 4), group('Why?', 1)])).toBe(
      '3 students asked 5 questions; the most frequent, asked 4 times: “What is light?”.',
    );
    expect(plainSummary(stats(1, 1), [group('Why?', 1)])).toBe('1 student asked 1 question, each once.');
  });
});
