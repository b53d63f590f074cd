import type { AttendanceChanges, RosterEntry } from '@classroom/contracts';

type Changes = AttendanceChanges | null | undefined;

/** Who gives a roster wants attendance to be evaluated, unless they say otherwise. */
export const attendanceFor = (roster: readonly RosterEntry[] | null | undefined, changes: Changes): Changes =>
  changes === undefined && roster?.length ? {} : changes;
