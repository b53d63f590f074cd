import { BoundedCache } from './bounded-cache.js';

test('what was not used for longest goes first', () => {
  const cache = new BoundedCache<string>(10);
  cache.set('a', 'A', 4);
  cache.set('b', 'B', 4);
  expect(cache.get('a')).toBe('A');
  cache.set('c', 'C', 4);
  expect(['a', 'b', 'c'].map((key) => cache.get(key))).toEqual(['A', undefined, 'C']);
});

test('a new value takes the place of the old one, and one that is too large is not kept', () => {
  const cache = new BoundedCache<string>(10);
  cache.set('a', 'A', 8);
  cache.set('a', 'B', 8);
  expect(cache.get('a')).toBe('B');
  cache.set('b', 'C', 11);
  expect(['a', 'b'].map((key) => cache.get(key))).toEqual([undefined, undefined]);
});
