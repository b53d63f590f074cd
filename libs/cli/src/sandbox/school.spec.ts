import { midnightFrom, minutesOfClass } from './school.js';

it.each([
  [{ students: 0, minutes: 45 }, 45],
  [{ students: 2, minutes: 45 }, 2 * 45 + 35],
  [{ students: 30, minutes: 45 }, 21 * 45 + 10 * 35],
])('a class of %p is charged %d minutes', (timetable, minutes) => expect(minutesOfClass(timetable)).toBe(minutes));

it('a school begins at a midnight that has not passed', () => {
  expect(midnightFrom(new Date('2026-09-01T00:00:00Z'))).toEqual(new Date('2026-09-01T00:00:00Z'));
  expect(midnightFrom(new Date('2026-09-01T00:00:01Z'))).toEqual(new Date('2026-09-02T00:00:00Z'));
});
