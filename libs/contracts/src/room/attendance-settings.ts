import { z } from 'zod';
import { shownText, uid } from '../kernel/values.js';
import { NAMES } from '../kernel/reference.js';

const LATE_AFTER = 'Seconds after the start of the lesson: who comes later is `LATE`. 0 to 86,400.';
const LEFT_BEFORE = 'Seconds before the end of the lesson: who left earlier is `LEFT_EARLY`. 0 to 86,400.';
const MINIMUM_PRESENCE = 'Percent of the lesson: who was in class for less is `ABSENT`. 0 to 100.';
const RECONNECT_GRACE = 'Seconds: a gap between two connections that is not longer counts as presence. 0 to 3,600.';

const tolerance = z.number().int().min(0).max(86_400);
const percent = z.number().int().min(0).max(100);
const grace = z.number().int().min(0).max(3_600);

/** The policy where nothing else is given. */
const BUILT_IN = { lateAfter: 300, leftBefore: 300, minimumPresence: 50, reconnectGrace: 60 } as const;

/** What an organization, a preset or a room sets. An omitted field stays as it is; in a new policy, it is the built-in one. */
export const attendanceChanges = z.object({
  lateAfter: tolerance.optional().describe(`${LATE_AFTER} Default: ${BUILT_IN.lateAfter}.`),
  leftBefore: tolerance.optional().describe(`${LEFT_BEFORE} Default: ${BUILT_IN.leftBefore}.`),
  minimumPresence: percent.optional().describe(`${MINIMUM_PRESENCE} Default: ${BUILT_IN.minimumPresence}.`),
  reconnectGrace: grace.optional().describe(`${RECONNECT_GRACE} Default: ${BUILT_IN.reconnectGrace}.`),
});
export type AttendanceChanges = z.infer<typeof attendanceChanges>;

/** The policy in force. */
export const attendancePolicy = z
  .object({
    lateAfter: z.number().int().describe(LATE_AFTER),
    leftBefore: z.number().int().describe(LEFT_BEFORE),
    minimumPresence: z.number().int().describe(MINIMUM_PRESENCE),
    reconnectGrace: z.number().int().describe(RECONNECT_GRACE),
  })
  .register(NAMES, { id: 'AttendancePolicy', description: 'How attendance of a class is evaluated.' });
export type AttendancePolicy = z.infer<typeof attendancePolicy>;

/** Each field of `changes` replaces that of `present`. Null: attendance is not evaluated. */
export function changedAttendance(
  changes: AttendanceChanges | null | undefined,
  present: AttendancePolicy | null,
): AttendancePolicy | null {
  if (changes === undefined) return present;
  const base = present ?? BUILT_IN;
  return (
    changes && {
      lateAfter: changes.lateAfter ?? base.lateAfter,
      leftBefore: changes.leftBefore ?? base.leftBefore,
      minimumPresence: changes.minimumPresence ?? base.minimumPresence,
      reconnectGrace: changes.reconnectGrace ?? base.reconnectGrace,
    }
  );
}

/** People on the roster of a room at most. */
export const MAX_ROSTER = 1_000;

const rosterEntry = z.object({
  uid: uid.describe('Your id of the person, as in their token.'),
  name: shownText(256).nullish().describe('Display name, 1 to 256 characters. Default: none.'),
});
export type RosterEntry = z.infer<typeof rosterEntry>;

export const roster = z
  .array(rosterEntry)
  .max(MAX_ROSTER)
  .refine((people) => new Set(people.map(({ uid }) => uid)).size === people.length, 'must not contain a uid twice');
