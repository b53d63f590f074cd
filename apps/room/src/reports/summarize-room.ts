import { Injectable } from '@nestjs/common';
import { AppError, creditsOf, getRoomSummary, type RpcInput, type RpcOutput } from '@classroom/contracts';
import { Handles } from '@classroom/messaging';
import { LiveKitClock } from '../livekit/livekit-clock.js';
import { AttendanceRepository } from '../presence/attendance.repository.js';
import { RoomReadsRepository } from '../rooms/room-reads.repository.js';
import { settingsOf } from '../schema/settings.js';

/** The summary of a class, computed from its connections: correct as soon as the class ends. */
@Injectable()
export class SummarizeRoom {
  constructor(
    private readonly attendance: AttendanceRepository,
    private readonly rooms: RoomReadsRepository,
    private readonly livekitClock: LiveKitClock,
  ) {}

  /** @throws AppError ROOM_NOT_FOUND */
  @Handles(getRoomSummary)
  async execute({ organizationId, roomId }: RpcInput<typeof getRoomSummary>): Promise<RpcOutput<typeof getRoomSummary>> {
    const room = await this.rooms.find(organizationId, roomId);
    if (!room) throw new AppError('ROOM_NOT_FOUND');
    const { budget } = settingsOf(room);
    const { seconds, people } = await this.attendance.summarize(room.sid, this.livekitClock.seconds());
    return {
      roomId,
      roomName: room.title,
      totalCredits: creditsOf(seconds),
      totalParticipants: people,
      avgStay: people === 0 ? 0 : Math.round(seconds / people),
      timestamps: { startedAt: room.startedAt?.toISOString() ?? null, endedAt: room.endedAt?.toISOString() ?? null },
      ...(budget && { budget }),
      status: room.state === 'finished' ? 'finished' : 'live',
    };
  }
}
