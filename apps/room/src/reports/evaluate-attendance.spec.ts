import { lessonOf } from './evaluate-attendance.js';

const at = (minutes: number) => new Date(Date.UTC(2026, 2, 2, 12, minutes));
const seconds = (minutes: number) => at(minutes).getTime() / 1000;
const period = (from: number, until: number) => [seconds(from), seconds(until)];
const UNSCHEDULED = { settings: {}, startedAt: at(0), endedAt: null };
const SCHEDULED = { settings: { startsAt: at(10).toISOString(), endsAt: at(60).toISOString() }, startedAt: at(5), endedAt: null };

describe('the lesson of a class', () => {
  it.each([
    ['begins with the first join and lasts until now', UNSCHEDULED, null, 20, period(0, 20)],
    ['lasts until now also if a participant has left', UNSCHEDULED, 10, 20, period(0, 20)],
    ['ends with the last leave, not when emptyTimeout has passed', { ...UNSCHEDULED, endedAt: at(35) }, 30, 99, period(0, 30)],
    ['begins by the schedule, whenever someone came', { ...SCHEDULED, endedAt: at(50) }, 50, 99, period(10, 50)],
    ['ends by the schedule', { ...SCHEDULED, endedAt: at(61) }, 61, 99, period(10, 60)],
    ['is not there before the scheduled start', SCHEDULED, null, 9, null],
    ['is not there before the first join', { ...UNSCHEDULED, startedAt: null }, null, 20, null],
    ['was not there if the class ended before its start', { ...SCHEDULED, endedAt: at(8) }, 8, 99, null],
    ['is there without anyone', { ...SCHEDULED, startedAt: null, endedAt: at(60) }, null, 99, period(10, 60)],
    ['is there without those who left before it', { ...SCHEDULED, endedAt: at(15) }, 7, 99, period(10, 15)],
  ])('%s', (_, room, lastLeft, now, expected) => {
    expect(lessonOf(room, lastLeft === null ? null : seconds(lastLeft), at(now))).toEqual(expected);
  });
});
