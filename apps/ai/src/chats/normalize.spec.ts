import { normalize } from './normalize.js';

describe('the same question of many', () => {
  it.each([
    ['What is a Prime Number?', 'what is a prime number'],
    ['  what is a prime   number!!', 'what is a prime number'],
    ['What, is “a” prime number', 'what is a prime number'],
    ['Was heißt Über?', 'was heißt über'],
  ])('is one: %j', (question, normalized) => expect(normalize(question)).toBe(normalized));

  it('stays another where only its signs differ', () => {
    expect(normalize('2 + 2?')).not.toBe(normalize('2 - 2?'));
    expect(normalize('¿?')).toBe('¿?');
  });
});
