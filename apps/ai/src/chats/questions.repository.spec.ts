import { normalize } from './questions.repository.js';

describe('a normalized question', () => {
  it.each([
    ['What is a Prime Number?', 'what is a prime number'],
    ['  what is a prime   number!!', 'what is a prime number'],
    ['What, is “a” prime number', 'what is a prime number'],
    ['Was heißt Über?', 'was heißt über'],
  ])('is the same for %j', (question, normalized) => expect(normalize(question)).toBe(normalized));

  it('keeps signs, by which questions may differ', () => {
    expect(normalize('2 + 2?')).not.toBe(normalize('2 - 2?'));
    expect(normalize('¿?')).toBe('¿?');
  });
});
