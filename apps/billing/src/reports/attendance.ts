import { Injectable } from '@nestjs/common';
import { billingRpc, roomRpc, type RpcInput, type RpcOutput } from '@classroom/contracts';
import { fitMessage, Handles, RpcClient, TextStreams } from '@classroom/messaging';
import { pageCursor } from '@classroom/persistence';
import { Clock } from '@classroom/platform';
import { z } from 'zod';
import { attendanceCsv } from './attendance-csv.js';
import { SessionsStore, type Attendee } from '../session-store/sessions-store.js';

type Input = RpcInput<typeof billingRpc.attendance>;
type Report = RpcOutput<typeof billingRpc.attendance>;

const PAGE_SIZE = 1_000;
/** The last participant of a page, and the time up to which all pages of one report count. */
const cursors = pageCursor(z.string().max(256));

/** Which participants attended a class, for how long, and for what share of it. */
@Injectable()
export class Attendance {
  constructor(
    private readonly sessions: SessionsStore,
    private readonly rpc: RpcClient,
    private readonly clock: Clock,
    private readonly streams: TextStreams,
  ) {}

  /** @throws AppError ROOM_NOT_FOUND, SERVICE_UNAVAILABLE, VALIDATION_FAILED */
  @Handles(billingRpc.attendance)
  async getAttendance(input: Input) {
    return input.isPaged ? this.readPage(input) : this.readAll(input);
  }

  /** @throws AppError ROOM_NOT_FOUND, SERVICE_UNAVAILABLE */
  @Handles(billingRpc.exportAttendance)
  async exportAttendance({ inbox, ...room }: RpcInput<typeof billingRpc.exportAttendance>) {
    const attendance = await this.readAll(room);
    return this.streams.open(inbox, () => attendanceCsv(attendance));
  }

  /** Participants in the order of their first joins. */
  private async readAll({ organizationId, roomId }: Input): Promise<Report> {
    const room = await this.rpc.call(roomRpc.describe, { organizationId, roomId });
    const now = this.clock.now();
    const people = await this.sessions.listAttendees({ organizationId, sid: room.sid }, now, '', null);
    people.sort((a, b) => a.firstJoinedAt.getTime() - b.firstJoinedAt.getTime());
    return { ...toReport(roomId, room, now, people), totalParticipants: people.length };
  }

  /**
   * One page with as many participants as fit into a message, in the order of their uids, which does not change between pages.
   * `totalParticipants` counts the participants of the page.
   */
  private async readPage({ organizationId, roomId, cursor }: Input): Promise<Report> {
    const position = cursor === undefined ? { createdAt: this.clock.now(), id: '' } : cursors.decode(cursor);
    const room = await this.rpc.call(roomRpc.describe, { organizationId, roomId });
    const rows = await this.sessions.listAttendees({ organizationId, sid: room.sid }, position.createdAt, position.id, PAGE_SIZE);
    const report = toReport(roomId, room, position.createdAt, rows);
    const participants = fitMessage(report.participants);
    const last = participants.at(-1);
    const hasMore = participants.length < rows.length || rows.length === PAGE_SIZE;
    const nextCursor = last && hasMore ? cursors.encode({ ...position, id: last.uid }) : null;
    return { ...report, participants, totalParticipants: participants.length, nextCursor };
  }
}

function toReport(
  roomId: string,
  room: RpcOutput<typeof roomRpc.describe>,
  now: Date,
  people: readonly Attendee[],
): Omit<Report, 'totalParticipants'> {
  const startedAt = room.startedAt ? Date.parse(room.startedAt) : undefined;
  const endedAt = room.endedAt ? Date.parse(room.endedAt) : now.getTime();
  const classDuration = startedAt === undefined ? 0 : Math.max(0, Math.floor((endedAt - startedAt) / 1000));
  return {
    roomId,
    roomTitle: room.title,
    status: room.state === 'finished' ? 'finished' : 'live',
    state: room.state,
    startedAt: room.startedAt,
    endedAt: room.endedAt,
    classDuration,
    participants: people.map((person) => ({
      uid: person.uid,
      name: person.name,
      role: person.role,
      firstJoinedAt: person.firstJoinedAt.toISOString(),
      lastLeftAt: person.lastLeftAt?.toISOString() ?? null,
      duration: person.seconds,
      percentOfClass: percent(person.seconds, classDuration),
      sessionCount: person.sessions,
      isPresent: person.lastLeftAt === null,
    })),
  };
}

const percent = (part: number, whole: number) => (whole === 0 ? 0 : Math.min(100, Math.round((part / whole) * 1000) / 10));
