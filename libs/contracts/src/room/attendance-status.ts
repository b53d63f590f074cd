import { z } from 'zod';
import { shown } from '../kernel/fields.js';
import { timestamp } from '../kernel/values.js';
import { NAMES } from '../kernel/reference.js';
import { attendancePolicy, type AttendancePolicy } from './attendance-settings.js';

const STATUSES = ['PRESENT', 'LATE', 'LEFT_EARLY', 'ABSENT'] as const;
export type AttendanceStatus = (typeof STATUSES)[number];

const status = z
  .enum(STATUSES)
  .meta({ 'x-extensible': true })
  .describe(
    '`ABSENT`: never in the lesson, or for less than `minimumPresence` of it. Otherwise `LATE`, otherwise `LEFT_EARLY`, otherwise `PRESENT`. More may be added.',
  );
const secondsLate = z
  .number()
  .int()
  .nullable()
  .describe('Seconds from the start of the lesson to the arrival, 0 if they were there; null if never in the lesson.');
const secondsLeftEarly = z
  .number()
  .int()
  .nullable()
  .describe('Seconds from the leave to the end of the lesson, 0 if they were there; null if never in the lesson.');
const isOnRoster = z.boolean().nullable().describe('Whether they are on the roster; null if the room has none.');

export const attendanceEvaluation = z
  .object({
    status,
    secondsLate,
    secondsLeftEarly,
    percentOfLesson: z.number().describe('Share of the lesson in percent, one decimal, with the gaps that count as presence.'),
    isOnRoster,
  })
  .register(NAMES, { id: 'EvaluatedAttendance', description: 'The attendance of one participant by the policy of the class.' });
export type AttendanceEvaluation = z.infer<typeof attendanceEvaluation>;

export const attendanceCounts = z.object({
  present: z.number().int().describe('Those with `PRESENT`.'),
  late: z.number().int().describe('Those with `LATE`.'),
  leftEarly: z.number().int().describe('Those with `LEFT_EARLY`.'),
  absent: z.number().int().describe('Those with `ABSENT`.'),
});
export type AttendanceCounts = z.infer<typeof attendanceCounts>;

/** What the attendance of a class was evaluated by, and the result in numbers. */
export const evaluatedLesson = {
  policy: attendancePolicy.describe('The policy.'),
  lessonStart: timestamp.describe('The start of the lesson: `startsAt` of its schedule, otherwise the first join.'),
  lessonEnd: timestamp.describe(
    'The end of the lesson: `endsAt` of its schedule or, if that is earlier, the last leave. Before the class has ended: now, if that is earlier.',
  ),
  counts: attendanceCounts.describe('The numbers of people: of those on the roster or, without one, of everyone who joined.'),
};

/** One person in the event at the end of a class. */
export const evaluatedPerson = z.object({
  uid: shown.uid,
  role: z.string().nullable().describe('Role of the participant in the room; null if they never joined.'),
  status,
  secondsLate,
  secondsLeftEarly,
  isOnRoster,
});
export type EvaluatedPerson = z.infer<typeof evaluatedPerson>;

/** Whole seconds since 1970: the first one that belongs to it, and the first one that no longer does. */
export type Period = readonly [from: number, until: number];

/** @param until the end of each period, in the order of `from` */
export const toPeriods = (from: readonly number[], until: readonly number[]): Period[] =>
  from.map((start, index) => [start, until[index] ?? start]);

/** For people who were never in class. */
export const NEVER_JOINED = { status: 'ABSENT', secondsLate: null, secondsLeftEarly: null } as const;

/** The periods in order and without overlaps. Those with at most `gap` seconds between them are one. */
function joined(periods: readonly Period[], gap: number): Period[] {
  const merged: Period[] = [];
  for (const [from, until] of periods.filter((period) => period[0] < period[1]).toSorted((a, b) => a[0] - b[0])) {
    const last = merged.at(-1);
    if (last && from - last[1] <= gap) merged[merged.length - 1] = [last[0], Math.max(last[1], until)];
    else merged.push([from, until]);
  }
  return merged;
}

/**
 * The attendance of a person who was connected during `stays`, in any order. A gap counts as presence also if it contains the start or the end of the
 * lesson. `secondsPresent` are seconds of the lesson.
 */
export function evaluateAttendance(policy: AttendancePolicy, [from, until]: Period, stays: readonly Period[]) {
  const present = joined(stays, policy.reconnectGrace)
    .map(([start, end]): Period => [Math.max(start, from), Math.min(end, until)])
    .filter(([start, end]) => start < end);
  const [first, last] = [present.at(0), present.at(-1)];
  if (!first || !last) return { ...NEVER_JOINED, secondsPresent: 0 };
  const secondsPresent = present.reduce((sum, [start, end]) => sum + end - start, 0);
  const [secondsLate, secondsLeftEarly] = [first[0] - from, until - last[1]];
  const statusOf = (): AttendanceStatus => {
    if (secondsPresent * 100 < policy.minimumPresence * (until - from)) return 'ABSENT';
    if (secondsLate > policy.lateAfter) return 'LATE';
    return secondsLeftEarly > policy.leftBefore ? 'LEFT_EARLY' : 'PRESENT';
  };
  return { status: statusOf(), secondsLate, secondsLeftEarly, secondsPresent };
}

/** Who is not on the roster is not counted, if there is one. */
export function countAttendance(people: Iterable<Pick<AttendanceEvaluation, 'status' | 'isOnRoster'>>): AttendanceCounts {
  const counts = { PRESENT: 0, LATE: 0, LEFT_EARLY: 0, ABSENT: 0 };
  for (const one of people) if (one.isOnRoster !== false) counts[one.status] += 1;
  return { present: counts.PRESENT, late: counts.LATE, leftEarly: counts.LEFT_EARLY, absent: counts.ABSENT };
}

interface EvaluatedReport {
  participants: readonly { evaluation?: AttendanceEvaluation | undefined }[];
  /** All of them on the roster. */
  neverJoined: readonly unknown[];
}

export const countReport = ({ participants, neverJoined }: EvaluatedReport): AttendanceCounts =>
  countAttendance([
    ...participants.flatMap(({ evaluation }) => evaluation ?? []),
    ...neverJoined.map(() => ({ ...NEVER_JOINED, isOnRoster: true })),
  ]);
