import { fitMessage } from './server.js';

describe('the part of a list that fits into a message', () => {
  it('is all of it, or its beginning, counted in bytes', () => {
    expect(fitMessage(['a', 'b'])).toEqual(['a', 'b']);
    expect(fitMessage(['aaa', 'bbb', 'ccc'], 12)).toEqual(['aaa', 'bbb']);
    expect(fitMessage(['äöü', 'b'], 8)).toEqual([]);
  });
});
