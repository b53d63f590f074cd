import { Injectable } from '@nestjs/common';
import { AppError, getParticipant, type RpcInput } from '@classroom/contracts';
import { Handles } from '@classroom/messaging';
import { RoomReadsRepository } from '../rooms/room-reads.repository.js';
import { ParticipantListRepository } from './participant-list.repository.js';
import { toParticipant } from './to-participant.js';

@Injectable()
export class GetParticipant {
  constructor(
    private readonly participants: ParticipantListRepository,
    private readonly rooms: RoomReadsRepository,
  ) {}

  /** @throws AppError ROOM_NOT_FOUND, PARTICIPANT_NOT_FOUND (no token was made for that uid) */
  @Handles(getParticipant)
  async execute({ organizationId, roomId, uid }: RpcInput<typeof getParticipant>) {
    const room = await this.rooms.find(organizationId, roomId);
    if (!room) throw new AppError('ROOM_NOT_FOUND');
    const participant = await this.participants.find(room.sid, uid);
    if (!participant) throw new AppError('PARTICIPANT_NOT_FOUND');
    return toParticipant(participant);
  }
}
