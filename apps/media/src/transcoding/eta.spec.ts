import { Pace } from './pace.js';

let now = 0;
const pace = () => new Pace(() => now);

test('an attempt that has not begun may take no time', () => {
  expect(pace().leastLeftMs).toBe(0);
});

test('an attempt without a percent after one second takes at least 99 more', () => {
  const begun = pace();
  begun.begin();
  now += 1_000;
  expect(begun.leastLeftMs).toBe(99_000);
});

test('the time for preparation does not count', () => {
  const late = pace();
  now += 60_000;
  late.begin();
  now += 1_000;
  late.percent = 49;
  expect(late.leastLeftMs).toBe(1_000);
});

test('the last percent may take no time', () => {
  const ending = pace();
  ending.begin();
  now += 1_000;
  ending.percent = 99;
  expect(ending.leastLeftMs).toBe(0);
});
