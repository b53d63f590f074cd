import { largestOf, smallestOf } from './extremes.js';

test('the largest and the smallest number are found in a list that is too long for a call', () => {
  const numbers = Array.from({ length: 300_000 }, (_, at) => at - 1_000);
  expect([largestOf(numbers), smallestOf(numbers)]).toEqual([298_999, -1_000]);
  expect([largestOf([]), smallestOf([])]).toEqual([-Infinity, Infinity]);
});
