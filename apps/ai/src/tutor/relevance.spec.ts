import { estimateTokens } from '../models/token-estimate.js';
import { fitText, mostRelevant, relevantPages } from './relevance.js';

const asked = (question: string, answer = 'An answer.') => ({ question, answer });

describe('the earlier questions of a class for a prompt', () => {
  const newestFirst = [
    asked('Where is the toilet?'),
    asked('How do plants breathe?'),
    asked('What is chlorophyll?'),
    asked('When is the break?'),
  ];

  it('are those that share words with the new one, then the newest, in chronological order', () => {
    const selected = mostRelevant(newestFirst, 'Do plants need chlorophyll?', 18);
    expect(selected.map(({ question }) => question)).toEqual(['What is chlorophyll?', 'How do plants breathe?']);
  });

  it('are all questions if they fit', () => {
    expect(mostRelevant(newestFirst, 'Anything?', 1_000)).toHaveLength(4);
    expect(mostRelevant([], 'Anything?', 1_000)).toEqual([]);
  });

  it('skip one that is too long, so that others fit', () => {
    const long = asked('plants '.repeat(1_000));
    expect(mostRelevant([long, asked('Plants?')], 'plants', 100).map(({ question }) => question)).toEqual(['Plants?']);
  });
});

describe('the pages of documents for a prompt', () => {
  const page = (number: number, text: string) => ({ title: 'Slides', page: number, text });
  const pages = [page(1, 'Welcome to class'), page(2, 'Roots drink'), page(3, 'Chlorophyll is green'), page(4, 'Homework')];

  it('are those that share words with the question, then the first ones, in their order', () => {
    expect(relevantPages(pages, 'What is chlorophyll?', 16).map((one) => one.page)).toEqual([1, 3]);
  });

  it('are all pages if they fit, without one that is too long', () => {
    const long = page(5, 'chlorophyll '.repeat(1_000));
    expect(relevantPages([...pages, long], 'What is chlorophyll?', 500)).toEqual(pages);
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
