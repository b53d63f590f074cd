import { runsOf } from './slide-pages.js';

it('takes pages that follow each other at once, each only once', () => {
  expect(runsOf([3, 1, 2, 9, 7, 7, 10])).toEqual([
    [1, 3],
    [7, 7],
    [9, 10],
  ]);
  expect(runsOf([])).toEqual([]);
});
