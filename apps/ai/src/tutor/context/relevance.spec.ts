import { estimateTokens } from '../../models/token-estimate.js';
import { fitText, mostRelevant } from './relevance.js';

const asked = (question: string, answer = 'An answer.') => ({ question, answer });

describe('which of a class’s questions are told', () => {
  const newestFirst = [
    asked('Where is the toilet?'),
    asked('How do plants breathe?'),
    asked('What is chlorophyll?'),
    asked('When is the break?'),
  ];

  it('are those that share words with the new one, then the newest, oldest first', () => {
    const told = mostRelevant(newestFirst, 'Do plants need chlorophyll?', 18);
    expect(told.map(({ question }) => question)).toEqual(['What is chlorophyll?', 'How do plants breathe?']);
  });

  it('are all where there is room', () => {
    expect(mostRelevant(newestFirst, 'Anything?', 1_000)).toHaveLength(4);
    expect(mostRelevant([], 'Anything?', 1_000)).toEqual([]);
  });

  it('leave room for others when one is too long', () => {
    const long = asked('plants '.repeat(1_000));
    expect(mostRelevant([long, asked('Plants?')], 'plants', 100).map(({ question }) => question)).toEqual(['Plants?']);
  });
});

describe('a text that is too long', () => {
  it('is cut to its budget', () => {
    const cut = fitText('word '.repeat(1_000), 100);
    expect(estimateTokens(cut)).toBeLessThanOrEqual(101);
    expect(cut.endsWith('…')).toBe(true);
    expect(fitText('short', 100)).toBe('short');
  });
});
