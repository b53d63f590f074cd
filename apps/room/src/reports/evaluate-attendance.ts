import { Injectable } from '@nestjs/common';
import {
  AppError,
  attendanceEvaluated,
  countAttendance,
  evaluateAttendance,
  largestOf,
  MAX_EVALUATED,
  NEVER_JOINED,
  roomRpc,
  toPeriods,
  type EvaluatedPerson,
  type Period,
  type RpcInput,
  type RpcOutput,
} from '@classroom/contracts';
import { fact, fitMessage, Handles, type Fact } from '@classroom/messaging';
import type { Transaction } from '@classroom/persistence';
import { AttendanceRepository } from '../presence/attendance.repository.js';
import { RoomReadsRepository } from '../rooms/room-reads.repository.js';
import { toEventRoom, type Room } from '../rooms/room.js';
import { RosterRepository } from '../rooms/roster.repository.js';
import { settingsOf, type WithSettings } from '../schema/settings.js';

const toSeconds = (time: Date | string) => Math.floor(new Date(time).getTime() / 1000);

/**
 * The period of time in which participants are expected: from the scheduled start or the first join to the scheduled end or, if that is earlier, the last
 * leave, which is before `emptyTimeout` ends the class. A class that has not ended counts up to `now`. Null: there was no lesson yet.
 * @param lastLeftAt seconds since 1970; null if no participant has left
 */
export function lessonOf(
  { startedAt, endedAt, ...room }: WithSettings & Pick<Room, 'startedAt' | 'endedAt'>,
  lastLeftAt: number | null,
  now: Date,
): Period | null {
  const { startsAt, endsAt } = settingsOf(room);
  const start = startsAt ?? startedAt;
  if (!start) return null;
  const from = toSeconds(start);
  const over = endedAt ? Math.min(toSeconds(endedAt), lastLeftAt !== null && lastLeftAt > from ? lastLeftAt : Infinity) : toSeconds(now);
  const until = Math.min(over, endsAt ? toSeconds(endsAt) : Infinity);
  return from < until ? [from, until] : null;
}

const ORDER = ['ABSENT', 'LATE', 'LEFT_EARLY', 'PRESENT'];
const byStatus = (a: EvaluatedPerson, b: EvaluatedPerson) => ORDER.indexOf(a.status) - ORDER.indexOf(b.status);

/** Evaluates who attended a class that ends. */
@Injectable()
export class EvaluateAttendance {
  constructor(
    private readonly attendance: AttendanceRepository,
    private readonly roster: RosterRepository,
  ) {}

  /**
   * In the transaction that ends the class, after all of its connections were closed.
   * @returns the fact; none if the class has no policy, or there was no lesson
   */
  async execute(tx: Transaction, room: Room, endedAt: Date): Promise<Fact[]> {
    const { attendance: policy } = settingsOf(room);
    if (!policy) return [];
    const stays = await this.attendance.listStays(tx, room.sid);
    const leaves = stays.flatMap((one) => one.leaves);
    const lesson = lessonOf({ ...room, endedAt }, leaves.length > 0 ? largestOf(leaves) : null, endedAt);
    if (!lesson) return [];
    const roster = (await this.roster.list(room.sid, '', tx)).map(({ uid }) => uid);
    const expected = new Set(roster);
    const came = stays.map(({ uid, role, joins, leaves: left }): EvaluatedPerson => {
      const { secondsPresent: _, ...evaluation } = evaluateAttendance(policy, lesson, toPeriods(joins, left));
      return { uid, role, ...evaluation, isOnRoster: roster.length > 0 ? expected.has(uid) : null };
    });
    const present = new Set(came.map(({ uid }) => uid));
    const missing = roster.filter((uid) => !present.has(uid)).map((uid) => ({ uid, role: null, ...NEVER_JOINED, isOnRoster: true }));
    const people = [...missing, ...came].toSorted(byStatus);
    const [lessonStart, lessonEnd] = [toTimestamp(lesson[0]), toTimestamp(lesson[1])];
    const result = { counts: countAttendance(people), people: people.slice(0, MAX_EVALUATED) };
    const data = { ...toEventRoom(room), title: room.title, policy, lessonStart, lessonEnd, ...result };
    return [fact(attendanceEvaluated, room.sid, { ...data, furtherPeople: people.length - result.people.length })];
  }
}

const toTimestamp = (seconds: number) => new Date(seconds * 1000).toISOString();

/** By what the attendance report evaluates a class. */
@Injectable()
export class AttendanceBasis {
  constructor(
    private readonly rooms: RoomReadsRepository,
    private readonly attendance: AttendanceRepository,
    private readonly roster: RosterRepository,
  ) {}

  /** @throws AppError ROOM_NOT_FOUND */
  @Handles(roomRpc.attendanceBasis)
  async read({
    organizationId,
    roomId,
    now,
    after,
  }: RpcInput<typeof roomRpc.attendanceBasis>): Promise<RpcOutput<typeof roomRpc.attendanceBasis>> {
    const room = await this.rooms.find(organizationId, roomId);
    if (!room) throw new AppError('ROOM_NOT_FOUND');
    const { sid } = room;
    const { attendance: policy } = settingsOf(room);
    const lesson = policy && lessonOf(room, await this.attendance.findLastLeave(sid), new Date(now));
    if (!policy || !lesson) return { basis: null, roster: [], next: null };
    const people = await this.roster.list(sid, after);
    const roster = fitMessage(people);
    const next = roster.length < people.length ? (roster.at(-1)?.uid ?? null) : null;
    return { basis: { policy, lesson: [...lesson] }, roster, next };
  }
}
