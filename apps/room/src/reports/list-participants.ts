import { Injectable } from '@nestjs/common';
import {
  AppError,
  getParticipant,
  invalidField,
  listParticipants,
  roomRpc,
  uid as uidSchema,
  type RpcInput,
  type RpcOutput,
} from '@classroom/contracts';
import { fitMessage, Handles } from '@classroom/messaging';
import { RoomReadsRepository } from '../rooms/room-reads.repository.js';
import { ParticipantListRepository, type ListedParticipant } from './room-list.repository.js';

export const toParticipant = ({ removedAt, joinedAt, leftAt, uid, name, role, photoURL }: ListedParticipant) => ({
  uid,
  name,
  role,
  photoURL,
  isConnected: joinedAt !== null && leftAt === null,
  joinedAt: joinedAt?.toISOString() ?? null,
  leftAt: leftAt?.toISOString() ?? null,
  removedAt: removedAt?.toISOString() ?? null,
});

@Injectable()
export class ListParticipants {
  constructor(
    private readonly participants: ParticipantListRepository,
    private readonly rooms: RoomReadsRepository,
  ) {}

  /**
   * In the order of uids; fewer than `limit` if one message cannot hold them.
   * @throws AppError ROOM_NOT_FOUND, VALIDATION_FAILED if the cursor is invalid
   */
  @Handles(listParticipants)
  async execute(input: RpcInput<typeof listParticipants>): Promise<RpcOutput<typeof listParticipants>> {
    const { organizationId, roomId, isConnected, cursor, limit } = input;
    const after = cursor === undefined ? '' : decode(cursor);
    const room = await this.rooms.find(organizationId, roomId);
    if (!room) throw new AppError('ROOM_NOT_FOUND');
    const rows = await this.participants.page(room.sid, { after, isConnected, limit: limit + 1 });
    const participants = fitMessage(rows.slice(0, limit).map(toParticipant));
    const last = participants.at(-1);
    return { participants, nextCursor: rows.length > participants.length && last ? encode(last.uid) : null };
  }

  @Handles(roomRpc.studentNames)
  async studentNames({ organizationId, sid }: RpcInput<typeof roomRpc.studentNames>) {
    const all = await this.participants.studentNames(organizationId, sid);
    const names = fitMessage(all);
    return { names, isComplete: names.length === all.length };
  }
}

const encode = (uid: string) => Buffer.from(uid).toString('base64url');

function decode(cursor: string): string {
  const uid = uidSchema.safeParse(Buffer.from(cursor, 'base64url').toString());
  if (!uid.success || encode(uid.data) !== cursor) throw invalidField('cursor', 'must be one that a page before gave');
  return uid.data;
}

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
