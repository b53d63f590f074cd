import { Injectable } from '@nestjs/common';
import {
  attendanceEvaluated,
  countAttendance,
  evaluateAttendance,
  MAX_EVALUATED,
  NEVER_JOINED,
  toPeriods,
  type EvaluatedPerson,
  largestOf,
} from '@classroom/contracts';
import { fact, type Fact } from '@classroom/messaging';
import type { Transaction } from '@classroom/persistence';
import { AttendanceRepository } from '../presence/attendance.repository.js';
import { lessonOf } from '../rooms/lesson.js';
import { toEventRoom, type Room } from '../rooms/room.js';
import { RosterRepository } from '../rooms/roster.repository.js';
import { settingsOf } from '../schema/settings.js';

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
