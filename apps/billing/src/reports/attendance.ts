import { Injectable } from '@nestjs/common';
import {
  billingRpc,
  countReport,
  evaluateAttendance,
  roomRpc,
  type AttendanceEvaluation,
  type AttendancePolicy,
  type Period,
  type RpcInput,
  type RpcOutput,
} from '@classroom/contracts';
import { fitMessage, Handles, RpcClient, TextStreams } from '@classroom/messaging';
import { pageCursor } from '@classroom/persistence';
import { Clock, cell, line, row } from '@classroom/platform';
import { z } from 'zod';
import { SessionsStore, type Attendee } from './sessions-store.js';
import { minutes } from './export-sessions.js';

type AttendancePage = RpcOutput<typeof billingRpc.attendance>;
type Report = Omit<AttendancePage, 'nextCursor'>;
type AskedRoom = { organizationId: string; roomId: string };

const PAGE_SIZE = 1_000;
/** The last participant of a page, and the time up to which all pages of one report count. */
const cursors = pageCursor(z.string().max(256));
/** Begins the position of a page with people of the roster. No uid contains a slash. */
const ROSTER = '/';

/** Which participants attended a class, for how long, and for what share of it. */
@Injectable()
export class Attendance {
  constructor(
    private readonly sessions: SessionsStore,
    private readonly rpc: RpcClient,
    private readonly clock: Clock,
    private readonly streams: TextStreams,
  ) {}

  /** @throws AppError ROOM_NOT_FOUND, SERVICE_UNAVAILABLE */
  @Handles(billingRpc.exportAttendance)
  async exportAttendance({ inbox, isTable, ...room }: RpcInput<typeof billingRpc.exportAttendance>) {
    const attendance = await this.readAll(room);
    return this.streams.open(inbox, () => attendanceCsv(attendance, isTable));
  }

  /** Participants in the order of their first joins. */
  private async readAll(asked: AskedRoom): Promise<Report> {
    const { room, until, basis } = await this.describe(asked, this.clock.now());
    const people = await this.sessions.listAttendees({ organizationId: asked.organizationId, sid: room.sid }, until, '', null);
    people.sort((a, b) => a.firstJoinedAt.getTime() - b.firstJoinedAt.getTime());
    return { ...toReport(room, until, basis, people, neverJoinedOf(basis, people)), totalParticipants: people.length };
  }

  /**
   * One page with as many participants as fit into a message, in the order of their uids, which does not change between pages. After them follow pages
   * with the people on the roster who never joined. The numbers are those of the page.
   * @throws AppError ROOM_NOT_FOUND, SERVICE_UNAVAILABLE, VALIDATION_FAILED
   */
  @Handles(billingRpc.attendance)
  async getAttendance({ organizationId, roomId, cursor }: RpcInput<typeof billingRpc.attendance>): Promise<AttendancePage> {
    const position = cursor === undefined ? { createdAt: this.clock.now(), id: '' } : cursors.decode(cursor);
    const { createdAt: now, id } = position;
    const { room, until, basis } = await this.describe({ organizationId, roomId }, now);
    const key = { organizationId, sid: room.sid };
    if (id.startsWith(ROSTER)) {
      const missing = neverJoinedOf(basis, await this.sessions.listAttendees(key, until, '', null)).filter(({ uid }) => ROSTER + uid > id);
      const people = fitMessage(missing);
      const last = people.length < missing.length ? people.at(-1) : undefined;
      const nextCursor = last ? cursors.encode({ createdAt: now, id: ROSTER + last.uid }) : null;
      return { ...toReport(room, until, basis, [], people), totalParticipants: 0, nextCursor };
    }
    const rows = await this.sessions.listAttendees(key, until, id, PAGE_SIZE);
    const report = toReport(room, until, basis, rows, []);
    const participants = fitMessage(report.participants);
    const last = participants.at(-1);
    const hasMore = participants.length < rows.length || rows.length === PAGE_SIZE;
    const next = last && hasMore ? last.uid : basis && basis.roster.size > 0 ? ROSTER : null;
    const nextCursor = next === null ? null : cursors.encode({ createdAt: now, id: next });
    return { ...report, participants, totalParticipants: participants.length, nextCursor };
  }

  /** `until` is the time up to which open sessions count: those of a finished class end with it, even if billing has not handled their ends yet. */
  private async describe(room: AskedRoom, now: Date) {
    const described = await this.rpc.call(roomRpc.describe, room);
    return {
      room: { ...described, roomId: room.roomId },
      until: described.endedAt ? new Date(described.endedAt) : now,
      basis: described.isAttendanceEvaluated ? await readBasis(this.rpc, room, now) : null,
    };
  }
}

function toReport(
  room: RpcOutput<typeof roomRpc.describe>,
  until: Date,
  basis: Basis | null,
  people: readonly Attendee[],
  neverJoined: NonNullable<Report['neverJoined']>,
): Omit<Report, 'totalParticipants'> {
  const startedAt = room.startedAt ? Date.parse(room.startedAt) : undefined;
  const classDuration = startedAt === undefined ? 0 : Math.max(0, Math.floor((until.getTime() - startedAt) / 1000));
  const participants = people.map((person) => {
    const lastLeftAt = person.lastLeftAt?.toISOString() ?? room.endedAt;
    return {
      uid: person.uid,
      name: person.name,
      role: person.role,
      firstJoinedAt: person.firstJoinedAt.toISOString(),
      lastLeftAt,
      duration: person.seconds,
      percentOfClass: percent(person.seconds, classDuration),
      sessionCount: person.sessions,
      isPresent: lastLeftAt === null,
      ...(basis && { evaluation: evaluationOf(basis, person) }),
    };
  });
  return {
    roomId: room.roomId,
    roomTitle: room.title,
    status: room.state === 'finished' ? 'finished' : 'live',
    state: room.state,
    startedAt: room.startedAt,
    endedAt: room.endedAt,
    classDuration,
    participants,
    ...(basis && {
      evaluation: {
        policy: basis.policy,
        lessonStart: toTimestamp(basis.lesson[0]),
        lessonEnd: toTimestamp(basis.lesson[1]),
        counts: countReport({ participants, neverJoined }),
      },
      neverJoined,
    }),
  };
}

/** By what a class is evaluated. */
interface Basis {
  policy: AttendancePolicy;
  lesson: Period;
  /** Names by uid, in the order of the uids; empty if the room has no roster. */
  roster: ReadonlyMap<string, string | null>;
}

/** @returns null if the lesson has not begun @throws AppError ROOM_NOT_FOUND, SERVICE_UNAVAILABLE */
async function readBasis(rpc: RpcClient, room: { organizationId: string; roomId: string }, now: Date): Promise<Basis | null> {
  const roster = new Map<string, string | null>();
  const request: RpcInput<typeof roomRpc.attendanceBasis> = { ...room, now: now.toISOString() };
  for (;;) {
    const page: RpcOutput<typeof roomRpc.attendanceBasis> = await rpc.call(roomRpc.attendanceBasis, request);
    if (!page.basis) return null;
    for (const { uid, name } of page.roster) roster.set(uid, name);
    if (page.next === null) return { ...page.basis, roster };
    request.after = page.next;
  }
}

function evaluationOf({ policy, lesson, roster }: Basis, { uid, stays }: Attendee): AttendanceEvaluation {
  const { secondsPresent, ...evaluation } = evaluateAttendance(policy, lesson, stays);
  const percentOfLesson = percent(secondsPresent, lesson[1] - lesson[0]);
  return { ...evaluation, percentOfLesson, isOnRoster: roster.size > 0 ? roster.has(uid) : null };
}

/** The people on the roster who are not among `people`, in the order of their uids. */
function neverJoinedOf(basis: Basis | null, people: readonly Attendee[]): { uid: string; name: string | null }[] {
  const joined = new Set(people.map(({ uid }) => uid));
  const missing = [...(basis?.roster ?? [])].filter(([uid]) => !joined.has(uid)).map(([uid, name]) => ({ uid, name }));
  return missing.toSorted((a, b) => (a.uid < b.uid ? -1 : 1));
}

const toTimestamp = (seconds: number) => new Date(seconds * 1000).toISOString();

/** One decimal, 100 at most. */
const percent = (part: number, whole: number) => (whole === 0 ? 0 : Math.min(100, Math.round((part / whole) * 1000) / 10));

const HEADER = 'UID,Name,Role,First Joined At,Last Left At,Total Time (min),Percent of Class,Sessions,Status';
/** Columns of a class whose attendance is evaluated. */
const EVALUATED = ',Attendance,Late (min),Left Early (min),On Roster';
const ROWS_PER_PART = 500;

type Participant = Report['participants'][number];

/**
 * The attendance of a class as CSV: a title and the facts of the class, unless it is a table, then one row per participant, and per person on the
 * roster who never joined.
 */
async function* attendanceCsv(attendance: Report, isTable: boolean): AsyncGenerator<string> {
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
