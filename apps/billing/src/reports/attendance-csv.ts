import type { billingRpc, RpcOutput } from '@classroom/contracts';
import { cell, line, row } from '@classroom/platform';
import { minutes } from './session-lines.js';

const HEADER = 'UID,Name,Role,First Joined At,Last Left At,Total Time (min),Percent of Class,Sessions,Status';
/** Columns of a class whose attendance is evaluated. */
const EVALUATED = ',Attendance,Late (min),Left Early (min),On Roster';
const ROWS_PER_PART = 500;

type Report = Omit<RpcOutput<typeof billingRpc.attendance>, 'nextCursor'>;
type Participant = Report['participants'][number];

/**
 * The attendance of a class as CSV: a title and the facts of the class, unless it is a table, then one row per participant, and per person on the
 * roster who never joined.
 */
export async function* attendanceCsv(attendance: Report, isTable: boolean): AsyncGenerator<string> {
  const { evaluation, neverJoined = [] } = attendance;
  yield (isTable ? '' : factsOf(attendance)) + line(evaluation ? HEADER + EVALUATED : HEADER);
  const rows = [...attendance.participants.map(toRow), ...neverJoined.map(toMissingRow)];
  while (rows.length > 0) yield rows.splice(0, ROWS_PER_PART).join('');
}

const factsOf = (attendance: Report) =>
  line('Attendance Report') +
  row('Room ID', attendance.roomId) +
  row('Room Title', attendance.roomTitle) +
  row('Started At', attendance.startedAt) +
  row('Ended At', attendance.endedAt) +
  row('Class Duration (minutes)', minutes(attendance.classDuration)) +
  row('Total Participants', attendance.totalParticipants) +
  (attendance.evaluation ? lessonRows(attendance.evaluation) : '') +
  line();

const lessonRows = ({ lessonStart, lessonEnd, counts }: NonNullable<Report['evaluation']>) =>
  row('Lesson Start', lessonStart) +
  row('Lesson End', lessonEnd) +
  row('Present', counts.present) +
  row('Late', counts.late) +
  row('Left Early', counts.leftEarly) +
  row('Absent', counts.absent);

const toRow = (one: Participant) =>
  line(
    [
      cell(one.uid),
      cell(one.name),
      one.role,
      one.firstJoinedAt,
      one.lastLeftAt ?? '',
      minutes(one.duration),
      one.percentOfClass.toFixed(1),
      one.sessionCount,
      one.isPresent ? 'Present' : 'Left',
      ...evaluatedCells(one),
    ].join(','),
  );

function evaluatedCells({ evaluation }: Participant): string[] {
  if (!evaluation) return [];
  const { status, secondsLate, secondsLeftEarly, isOnRoster } = evaluation;
  const times = [secondsLate, secondsLeftEarly].map((seconds) => (seconds === null ? '' : minutes(seconds)));
  return [status, ...times, isOnRoster === null ? '' : isOnRoster ? 'Yes' : 'No'];
}

const toMissingRow = ({ uid, name }: NonNullable<Report['neverJoined']>[number]) =>
  line([cell(uid), cell(name), '', '', '', minutes(0), '0.0', 0, 'Absent', 'ABSENT', '', '', 'Yes'].join(','));
