import { Injectable } from '@nestjs/common';
import { billingRpc, countReport, roomRpc, type RpcInput, type RpcOutput } from '@classroom/contracts';
import { fitMessage, Handles, RpcClient, TextStreams } from '@classroom/messaging';
import { pageCursor } from '@classroom/persistence';
import { Clock } from '@classroom/platform';
import { z } from 'zod';
import { attendanceCsv } from './attendance-csv.js';
import { evaluationOf, neverJoinedOf, readBasis, toTimestamp, type Basis, percent } from './attendance-evaluation.js';
import { SessionsStore, type Attendee } from './sessions-store.js';

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
