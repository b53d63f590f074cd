import { fitMessage } from './fit-message.js';

describe('what fits into a message', () => {
  it('is all, or the first of it, counted in bytes', () => {
    expect(fitMessage(['a', 'b'])).toEqual(['a', 'b']);
    expect(fitMessage(['aaa', 'bbb', 'ccc'], 12)).toEqual(['aaa', 'bbb']);
    expect(fitMessage(['äöü', 'b'], 8)).toEqual([]);
  });
});
