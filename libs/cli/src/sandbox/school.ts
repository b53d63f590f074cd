import type { Statement, VirtualClassroom } from '@virtual-classroom/sdk';
import { ClassOfRobots } from './class-of-robots.js';
import type { SandboxClient } from './sandbox-client.js';

export const MINUTE_MS = 60_000;
export const DAY_MS = 86_400_000;
/** The first lesson begins at eight, and the next an hour later. */
const FIRST_HOUR = 8;
/** Every third student leaves so many minutes before the end. */
const EARLY_MINUTES = 10;

export interface Timetable {
  days: number;
  /** Lessons of a day, at most 15: one each hour from eight. */
  classes: number;
  /** Students of a class; its teacher is one more. */
  students: number;
  /** Length of a lesson, from 11 to 59. */
  minutes: number;
}

export interface Bill {
  classes: number;
  /** Minutes of all people by the timetable: what the bill must have, a credit each. */
  minutes: number;
  /** Credits of the ledger's entries of these classes. */
  credits: number;
  /** The statements of a postpaid organization, newest first. */
  statements: Statement[];
}

const leavesEarly = (student: number): boolean => student % 3 === 2;

/** Minutes of all people of a class: the plain computation with which the bill is compared. */
export function minutesOfClass({ students, minutes }: Pick<Timetable, 'students' | 'minutes'>): number {
  const early = Math.floor((students + 1) / 3);
  return (students + 1) * minutes - early * EARLY_MINUTES;
}

/** @param isPostpaid whether the statements must have the minutes too */
export const agrees = ({ minutes, credits, statements }: Bill, isPostpaid: boolean): boolean =>
  credits === minutes && (!isPostpaid || sum(statements.map(({ creditsConsumed }) => creditsConsumed)) === minutes);

export const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/** The first midnight (UTC) from a time on. */
export const midnightFrom = (now: Date): Date => new Date(Math.ceil(now.getTime() / DAY_MS) * DAY_MS);

/** Plays a timetable in the sandbox, a class after the other. */
export class School {
  private readonly rooms = new Set<string>();

  constructor(
    private readonly client: VirtualClassroom,
    private readonly sandbox: SandboxClient,
    private readonly timetable: Timetable,
  ) {}

  /** @param firstDay a midnight that the clock has not passed @param report is called after each day */
  async play(firstDay: Date, report: (day: number, classes: number) => void): Promise<void> {
    const { days, classes } = this.timetable;
    for (let day = 0; day < days; day += 1) {
      const midnight = firstDay.getTime() + day * DAY_MS;
      for (let n = 0; n < classes; n += 1) await this.hold(`d${day + 1}-c${n + 1}-${firstDay.getTime()}`, hour(midnight, FIRST_HOUR + n));
      await this.sandbox.advance(new Date(midnight + DAY_MS));
      report(day + 1, this.rooms.size);
    }
  }

  private async hold(roomId: string, begin: number): Promise<void> {
    const { students, minutes } = this.timetable;
    const endMs = begin + minutes * MINUTE_MS;
    await this.sandbox.move(new Date(begin));
    const participant = { uid: 'teacher', name: 'Robot teacher', role: 'TEACHER' } as const;
    const { token } = await this.client.rooms.create({ roomId, title: roomId, participant });
    this.rooms.add(roomId);
    const people = new ClassOfRobots(this.client, this.sandbox, roomId);
    const uids = Array.from({ length: students }, (_, n) => `student-${n + 1}`);
    const robots = await people.join(['teacher', ...uids], { tokens: { teacher: token } });
    const early = robots.filter((_, n) => n > 0 && leavesEarly(n));
    await this.sandbox.move(new Date(endMs - EARLY_MINUTES * MINUTE_MS));
    await people.leave(early);
    await this.sandbox.move(new Date(endMs));
    await people.leave(robots.filter((robot) => !early.includes(robot)));
    await this.client.rooms.end(roomId);
  }

  /** What the organization was charged for the classes that were played. */
  async bill(): Promise<Bill> {
    let credits = 0;
    for await (const entry of this.client.billing.ledger.list({ limit: '100' }))
      if (entry.roomId !== null && this.rooms.has(entry.roomId)) credits -= entry.credits;
    const { size: classes } = this.rooms;
    return { classes, minutes: classes * minutesOfClass(this.timetable), credits, statements: await this.client.billing.statements.list() };
  }
}

const hour = (midnight: number, hours: number): number => midnight + hours * 60 * MINUTE_MS;
