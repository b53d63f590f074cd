import fc from 'fast-check';
import { changedAttendance, roster, type AttendancePolicy } from './attendance-settings.js';
import { countAttendance, evaluateAttendance, type AttendanceStatus, type Period } from './attendance-status.js';

const SECONDS = 70;
const LESSON: Period = [100, 200];
const POLICY: AttendancePolicy = { lateAfter: 10, leftBefore: 20, minimumPresence: 50, reconnectGrace: 5 };

const policies = fc.record({
  lateAfter: fc.nat(8),
  leftBefore: fc.nat(8),
  minimumPresence: fc.oneof(fc.constantFrom(0, 50, 100), fc.nat(100)),
  reconnectGrace: fc.nat(4),
});
const periods = (longest: number) => fc.tuple(fc.nat(40), fc.nat(longest)).map(([from, length]): Period => [from, from + length]);
const lessons = fc.tuple(fc.nat(20), fc.integer({ min: 1, max: 30 })).map(([from, length]): Period => [from, from + length]);

/** The same, by looking at each second. */
function secondBySecond({ lateAfter, leftBefore, minimumPresence, reconnectGrace }: AttendancePolicy, lesson: Period, stays: Period[]) {
  const isConnected = Array.from({ length: SECONDS }, (_, second) => stays.some(([from, until]) => from <= second && second < until));
  const isPresent = isConnected.map((isIt, second) => {
    const [before, after] = [isConnected.lastIndexOf(true, second), isConnected.indexOf(true, second)];
    return isIt || (before >= 0 && after >= 0 && after - before - 1 <= reconnectGrace);
  });
  const ofLesson = isPresent.slice(...lesson);
  const secondsPresent = ofLesson.filter(Boolean).length;
  if (secondsPresent === 0) return { status: 'ABSENT', secondsLate: null, secondsLeftEarly: null, secondsPresent };
  const secondsLate = ofLesson.indexOf(true);
  const secondsLeftEarly = ofLesson.length - 1 - ofLesson.lastIndexOf(true);
  const found: [AttendanceStatus, boolean][] = [
    ['ABSENT', secondsPresent * 100 < minimumPresence * ofLesson.length],
    ['LATE', secondsLate > lateAfter],
    ['LEFT_EARLY', secondsLeftEarly > leftBefore],
    ['PRESENT', true],
  ];
  return { status: found.find(([, isIt]) => isIt)?.[0], secondsLate, secondsLeftEarly, secondsPresent };
}

describe('the attendance of a person', () => {
  it('is what each second of the class says', () => {
    fc.assert(
      fc.property(policies, lessons, fc.array(periods(12), { maxLength: 6 }), (policy, lesson, stays) => {
        expect(evaluateAttendance(policy, lesson, stays)).toEqual(secondBySecond(policy, lesson, stays));
      }),
      { numRuns: 2_000 },
    );
  });

  it.each<[string, Period[], AttendanceStatus, number | null, number | null]>([
    ['without a connection', [], 'ABSENT', null, null],
    ['who left before it', [[50, 100]], 'ABSENT', null, null],
    ['from before it to after it', [[50, 250]], 'PRESENT', 0, 0],
    ['late by just what is tolerated', [[110, 200]], 'PRESENT', 10, 0],
    ['late by a second more', [[111, 200]], 'LATE', 11, 0],
    ['who left early by just what is tolerated', [[100, 180]], 'PRESENT', 0, 20],
    ['who left a second earlier', [[100, 179]], 'LEFT_EARLY', 0, 21],
    ['who was late and left early', [[120, 170]], 'LATE', 20, 30],
    ['for just the minimum', [[150, 200]], 'LATE', 50, 0],
    ['for a second less than the minimum', [[151, 200]], 'ABSENT', 51, 0],
    [
      'in two connections at the same time',
      [
        [100, 140],
        [100, 140],
      ],
      'ABSENT',
      0,
      60,
    ],
    [
      'who reconnected in time, at the start and at the end',
      [
        [40, 98],
        [103, 195],
        [200, 230],
      ],
      'PRESENT',
      0,
      0,
    ],
    [
      'who reconnected too late',
      [
        [40, 98],
        [111, 200],
      ],
      'LATE',
      11,
      0,
    ],
  ])('%s', (_, stays, status, secondsLate, secondsLeftEarly) => {
    expect(evaluateAttendance(POLICY, LESSON, stays)).toMatchObject({ status, secondsLate, secondsLeftEarly });
  });

  it('counts among those on the roster, or among all without one', () => {
    const of = (status: AttendanceStatus, isOnRoster: boolean | null) => ({ status, isOnRoster });
    expect(countAttendance([of('PRESENT', true), of('LATE', true), of('PRESENT', false), of('ABSENT', true)])).toEqual({
      present: 1,
      late: 1,
      leftEarly: 0,
      absent: 1,
    });
    expect(countAttendance([of('LEFT_EARLY', null), of('PRESENT', null)])).toEqual({ present: 1, late: 0, leftEarly: 1, absent: 0 });
  });
});

describe('an attendance policy', () => {
  it('begins with the built-in one, changes field by field, and is removed by null', () => {
    const builtIn = { lateAfter: 300, leftBefore: 300, minimumPresence: 50, reconnectGrace: 60 };
    expect(changedAttendance({}, null)).toEqual(builtIn);
    expect(changedAttendance({ lateAfter: 0 }, POLICY)).toEqual({ ...POLICY, lateAfter: 0 });
    expect(changedAttendance(undefined, POLICY)).toEqual(POLICY);
    expect(changedAttendance(undefined, null)).toBeNull();
    expect(changedAttendance(null, POLICY)).toBeNull();
  });
});

describe('a roster', () => {
  it('names each person once, and at most 1,000', () => {
    const people = (count: number) => Array.from({ length: count }, (_, index) => ({ uid: `u-${index}` }));
    expect(roster.safeParse(people(1_000)).success).toBe(true);
    expect(roster.safeParse(people(1_001)).success).toBe(false);
    expect(roster.safeParse([{ uid: 'ada' }, { uid: 'ada', name: 'Ada' }]).error?.issues).toMatchObject([
      { path: [], message: 'must not contain a uid twice' },
    ]);
  });
});
