import { Eta } from './eta.js';

let now = 0;
const eta = () => new Eta(() => now);

test('an attempt that has not begun may take no time', () => {
  expect(eta().minRemainingMs).toBe(0);
});

test('an attempt without a percent after one second takes at least 99 more', () => {
  const begun = eta();
  begun.begin();
  now += 1_000;
  expect(begun.minRemainingMs).toBe(99_000);
});

test('the time for preparation does not count', () => {
  const late = eta();
  now += 60_000;
  late.begin();
  now += 1_000;
  late.percent = 49;
  expect(late.minRemainingMs).toBe(1_000);
});

test('the last percent may take no time', () => {
  const ending = eta();
  ending.begin();
  now += 1_000;
  ending.percent = 99;
  expect(ending.minRemainingMs).toBe(0);
});
