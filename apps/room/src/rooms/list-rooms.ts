import { Injectable } from '@nestjs/common';
import { invalidField, roomSid, type RpcInput, type roomsRpc, type RpcOutput } from '@classroom/contracts';
import { z } from 'zod';
import { RoomListRepository, type Position } from './room-list.repository.js';
import { stateOf, type RoomRow } from './room.row.js';

const DAY_MS = 86_400_000;
const IS_DAY = /^\d{4}-\d{2}-\d{2}$/;
const position = z.tuple([z.number().int().min(0).max(8.64e15), roomSid]);

@Injectable()
export class ListRooms {
  constructor(private readonly rooms: RoomListRepository) {}

  /**
   * Newest first. A page that was filtered by title may hold fewer rooms than asked for and still have one after it.
   * @throws AppError VALIDATION_FAILED where the cursor is none of ours, or the dates are in the wrong order
   */
  async execute(input: RpcInput<typeof roomsRpc.list>): Promise<RpcOutput<typeof roomsRpc.list>> {
    const { organizationId, status, title, startDate, endDate, cursor, limit } = input;
    const from = startDate === undefined ? null : new Date(startDate);
    const until = endDate === undefined ? null : endOf(endDate);
    if (from && until && until <= from) throw invalidField('endDate', 'must not be before startDate');
    const after = cursor === undefined ? undefined : decode(cursor);
    const { rooms, next } = await this.rooms.page(organizationId, { status, title, from, until }, after, limit);
    return { rooms: rooms.map(toListed), nextCursor: next ? encode(next) : null };
  }
}

/** A day ends with its last millisecond; an instant is included. */
const endOf = (moment: string) => new Date(new Date(moment).getTime() + (IS_DAY.test(moment) ? DAY_MS : 1));

const toListed = (room: RoomRow): RpcOutput<typeof roomsRpc.list>['rooms'][number] => ({
  roomId: room.roomId,
  sid: room.sid,
  title: room.title,
  status: stateOf(room),
  participantCount: room.participantCount,
  hasTeacher: room.hasTeacher,
  isRecording: room.isRecording,
  createdAt: room.createdAt.toISOString(),
  startedAt: room.startedAt?.toISOString() ?? null,
  endedAt: room.endedAt?.toISOString() ?? null,
});

const encode = ({ createdAt, sid }: Position) => Buffer.from(JSON.stringify([createdAt.getTime(), sid])).toString('base64url');

function decode(cursor: string): Position {
  try {
    const [time, sid] = position.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
    return { createdAt: new Date(time), sid };
  } catch (cause) {
    throw invalidField('cursor', 'must be one that a page before gave', cause);
  }
}
