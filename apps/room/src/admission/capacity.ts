import { Injectable } from '@nestjs/common';
import { AppError } from '@classroom/contracts';
import type { Transaction } from '@classroom/persistence';
import { AttendanceRepository } from '../presence/attendance.repository.js';
import type { Room } from '../rooms/room.js';

@Injectable()
export class Capacity {
  constructor(private readonly attendance: AttendanceRepository) {}

  /**
   * A uid that is there already takes its own place. LiveKit checks again at the door.
   * @throws AppError ROOM_FULL; inside a transaction give it, so that no second connection is waited for
   */
  async check(room: Room, uid: string, tx?: Transaction): Promise<void> {
    if (room.participantCount < room.maxParticipants) return;
    if (!(await this.attendance.isConnected(room.sid, uid, tx))) throw new AppError('ROOM_FULL');
  }
}
