import { Injectable } from '@nestjs/common';
import { AppError, type ClassroomCaller, type Permissions } from '@classroom/contracts';
import type { Transaction } from '@classroom/persistence';
import { permissionsOf } from '../joining/role-grants.js';
import type { RoomRow } from '../rooms/room.row.js';
import { RoomsRepository } from '../rooms/rooms.repository.js';
import { ParticipantsRepository, type ParticipantRow } from './participants.repository.js';

/** Who acts in a class, decided from the rows under lock: the room lives, the session is the present one, the role allows. */
@Injectable()
export class ActingParticipant {
  constructor(
    private readonly rooms: RoomsRepository,
    private readonly participants: ParticipantsRepository,
  ) {}

  /** @throws AppError ROOM_ENDED, UNAUTHORIZED (removed, replaced) or FORBIDDEN (the role) */
  async require(
    tx: Transaction,
    caller: ClassroomCaller,
    permission: keyof Permissions,
  ): Promise<{ room: RoomRow; participant: ParticipantRow }> {
    const found = await this.find(tx, caller);
    if (caller.sessionNumber !== found.participant.sessionNumber) throw new AppError('UNAUTHORIZED');
    if (!permissionsOf(found.participant.role)[permission]) throw new AppError('FORBIDDEN');
    return found;
  }

  /** The same without role or session: for opening one. */
  async find(tx: Transaction, caller: ClassroomCaller): Promise<{ room: RoomRow; participant: ParticipantRow }> {
    const room = await this.rooms.lockBySid(tx, caller.sid);
    if (!room || room.state === 'creating') throw new AppError('UNAUTHORIZED');
    if (room.state === 'finished') throw new AppError('ROOM_ENDED');
    const participant = await this.participants.lock(tx, caller.sid, caller.uid);
    if (!participant || isRemoved(participant, caller.issuedAt)) throw new AppError('UNAUTHORIZED');
    return { room, participant };
  }
}

const isRemoved = ({ removedAt }: ParticipantRow, issuedAt: number) =>
  removedAt !== null && issuedAt <= removedAt.getTime();
