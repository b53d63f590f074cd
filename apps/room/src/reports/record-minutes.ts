import { Injectable } from '@nestjs/common';
import { AppError, reportMinutes, type RpcInput, type RpcOutput } from '@classroom/contracts';
import { Handles } from '@classroom/messaging';
import { LiveKitClock } from '../livekit/livekit-clock.js';
import { RoomReadsRepository } from '../rooms/room-reads.repository.js';
import { ParticipantMinutesRepository } from './participant-minutes.repository.js';
import { toMinuteRow } from './to-minute-row.js';

/** Seconds after the class in which pages report their last minutes. After that, the engagement of its participants is final. */
export const LATE_S = 300;

/**
 * Stores what a participant's page measured. The page also reports after its participant was removed or replaced, and after the class: the
 * session need not be the current one. It writes of its own connections alone.
 */
@Injectable()
export class RecordMinutes {
  constructor(
    private readonly rooms: RoomReadsRepository,
    private readonly minutes: ParticipantMinutesRepository,
    private readonly livekitClock: LiveKitClock,
  ) {}

  /** @throws AppError UNAUTHORIZED, ROOM_ENDED */
  @Handles(reportMinutes)
  async execute({ caller: { sid, uid }, minutes }: RpcInput<typeof reportMinutes>): Promise<RpcOutput<typeof reportMinutes>> {
    const room = await this.rooms.findBySid(sid);
    if (!room) throw new AppError('UNAUTHORIZED');
    const now = this.livekitClock.seconds();
    if (room.endedAt && now - room.endedAt.getTime() / 1000 > LATE_S) throw new AppError('ROOM_ENDED');
    return { stored: await this.minutes.add(sid, uid, minutes.map(toMinuteRow), now) };
  }
}
