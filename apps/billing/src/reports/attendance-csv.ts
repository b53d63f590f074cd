import type { billingRpc, RpcOutput } from '@classroom/contracts';
import { cell, line, row } from '@classroom/platform';
import { minutes } from './minutes.js';

const HEADER = 'UID,Name,Role,First Joined At,Last Left At,Total Time (min),Percent of Class,Sessions,Status';
const ROWS_PER_PART = 500;

/** The attendance of a class as CSV: a title, the facts of the class, then one row per participant. */
export async function* attendanceCsv(attendance: RpcOutput<typeof billingRpc.attendance>): AsyncGenerator<string> {
  yield (
    line('Attendance Report') +
    row('Room ID', attendance.roomId) +
    row('Room Title', attendance.roomTitle) +
    row('Started At', attendance.startedAt) +
    row('Ended At', attendance.endedAt) +
    row('Class Duration (minutes)', minutes(attendance.classDuration)) +
    row('Total Participants', attendance.totalParticipants) +
    line() +
    line(HEADER)
  );
  const remaining = [...attendance.participants];
  while (remaining.length > 0) {
    yield remaining
      .splice(0, ROWS_PER_PART)
      .map((one) =>
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
          ].join(','),
        ),
      )
      .join('');
  }
}
