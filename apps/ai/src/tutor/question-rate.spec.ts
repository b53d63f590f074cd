import { QuestionRate } from './question-rate.js';

describe('how often one may ask', () => {
  it('is twenty times a minute, each for themselves', () => {
    const rate = new QuestionRate();
    for (let second = 0; second < 20; second++) rate.count('RM_a', 'mia', second * 1_000);
    expect(() => rate.count('RM_a', 'mia', 30_000)).toThrow(expect.objectContaining({ code: 'RATE_LIMITED' }));
    expect(() => rate.count('RM_a', 'ben', 30_000)).not.toThrow();
    expect(() => rate.count('RM_b', 'mia', 30_000)).not.toThrow();
    expect(() => rate.count('RM_a', 'mia', 61_000)).not.toThrow();
  });
});
