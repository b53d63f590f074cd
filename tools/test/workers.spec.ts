import { workersNextTo } from './workers.ts';

test('a run leaves a worker out for each core that others use, and keeps one for each lane', () => {
  expect([0, 0.3, 1, 1.9, 8].map(workersNextTo)).toEqual([3, 3, 2, 2, 2]);
});
