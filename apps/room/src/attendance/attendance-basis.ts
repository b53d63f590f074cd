import { Injectable } from '@nestjs/common';
import { AppError, roomRpc, type RpcInput, type RpcOutput } from '@classroom/contracts';
import { fitMessage, Handles } from '@classroom/messaging';
import { AttendanceRepository } from '../presence/attendance.repository.js';
import { lessonOf } from '../rooms/lesson.js';
import { RoomReadsRepository } from '../rooms/room-reads.repository.js';
import { settingsOf } from '../schema/settings.js';
import { RosterRepository } from '../rooms/roster.repository.js';

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
