import { Pace } from './pace.js';

let now = 0;
const pace = () => new Pace(() => now);

test('what has not begun may be done at once', () => {
  expect(pace().leastLeftMs).toBe(0);
});

test('what went on for a second without a percent takes 99 more at least', () => {
  const begun = pace();
  begun.begin();
  now += 1_000;
  expect(begun.leastLeftMs).toBe(99_000);
});

test('the time for preparing does not count', () => {
  const late = pace();
  now += 60_000;
  late.begin();
  now += 1_000;
  late.percent = 49;
  expect(late.leastLeftMs).toBe(1_000);
});

test('the last percent may be over any moment', () => {
  const ending = pace();
  ending.begin();
  now += 1_000;
  ending.percent = 99;
  expect(ending.leastLeftMs).toBe(0);
});
