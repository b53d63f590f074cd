import { parseFailpoints } from './failpoints.js';

describe('parseFailpoints', () => {
  it('reads names and actions', () => {
    expect([...parseFailpoints('a.b=crash,c=throw;d=delay:50')]).toEqual([
      ['a.b', { kind: 'crash' }],
      ['c', { kind: 'throw' }],
      ['d', { kind: 'delay', ms: 50 }],
    ]);
    expect(parseFailpoints(undefined).size).toBe(0);
  });

  it('refuses invalid text, so that a test never waits for a fault that does not occur', () => {
    expect(() => parseFailpoints('a.b=explode')).toThrow(/cannot read/);
  });
});
