import { Injectable } from '@nestjs/common';
import { AppError } from '@classroom/contracts';
import type { Transaction } from '@classroom/persistence';
import { AttendanceRepository } from '../presence/attendance.repository.js';
import type { Room } from '../rooms/room.js';
import { settingsOf } from '../schema/settings.js';

@Injectable()
export class Capacity {
  constructor(private readonly attendance: AttendanceRepository) {}

  /**
   * A uid that is already connected takes no further place. LiveKit checks the limit again when a participant connects. Through closed doors
   * comes who was in class before.
   * @param tx the caller's transaction, if it has one, so that the check does not wait for a second database connection
   * @throws AppError ROOM_FULL
   */
  async check(room: Room, uid: string, tx?: Transaction): Promise<void> {
    if (room.doorsClosed && !(await this.attendance.hasJoined(room.sid, uid, tx)))
      throw new AppError('ROOM_FULL', { message: 'The budget of the class has closed its doors' });
    if (room.participantCount < settingsOf(room).maxParticipants) return;
    if (!(await this.attendance.isConnected(room.sid, uid, tx))) throw new AppError('ROOM_FULL');
  }
}
