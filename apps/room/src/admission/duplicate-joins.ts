import { Injectable } from '@nestjs/common';
import { AppError } from '@classroom/contracts';
import type { Transaction } from '@classroom/persistence';
import { LiveKitRooms } from '../livekit/livekit-rooms.js';
import { AttendanceRepository } from '../presence/attendance.repository.js';
import type { Room } from '../rooms/room.js';
import { settingsOf } from '../schema/settings.js';

/** Refuses a second device of a participant, where the class does. */
@Injectable()
export class DuplicateJoins {
  constructor(
    private readonly attendance: AttendanceRepository,
    private readonly livekit: LiveKitRooms,
  ) {}

  /** Our rows may be later than LiveKit, which is asked before a refusal. @throws AppError ALREADY_CONNECTED, SERVICE_UNAVAILABLE */
  async check(room: Room, uid: string): Promise<void> {
    await this.checkRows(room, uid).catch((error: unknown) => this.confirm(error, room.sid, uid));
  }

  /** The same by our rows alone, for a transaction. @throws AppError ALREADY_CONNECTED */
  async checkRows(room: Room, uid: string, tx?: Transaction): Promise<void> {
    if (settingsOf(room).duplicateJoin === 'refuse' && (await this.attendance.isConnected(room.sid, uid, tx)))
      throw new AppError('ALREADY_CONNECTED');
  }

  /** @throws `error` unless it is a refusal by our rows of a participant whom LiveKit does not have; AppError SERVICE_UNAVAILABLE */
  async confirm(error: unknown, sid: string, uid: string): Promise<void> {
    const isRefusal = error instanceof AppError && error.code === 'ALREADY_CONNECTED';
    if (!isRefusal || (await this.livekit.participant(sid, uid))) throw error;
  }
}
