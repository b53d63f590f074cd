import { Injectable } from '@nestjs/common';
import { invalidField, listRooms, roomRpc, roomSid, type RpcInput, type RpcOutput } from '@classroom/contracts';
import { Handles } from '@classroom/messaging';
import { pageCursor } from '@classroom/persistence';
import { RoomListRepository, type ListedRoom, type Range } from './room-list.repository.js';
import { stateOf } from '../rooms/room.js';
import { settingsOf } from '../schema/settings.js';

const DAY_MS = 86_400_000;
const IS_DAY = /^\d{4}-\d{2}-\d{2}$/;
const cursors = pageCursor(roomSid);

@Injectable()
export class ListRooms {
  constructor(private readonly rooms: RoomListRepository) {}

  /**
   * Newest first. A page that is filtered by title may hold fewer rooms than `limit` although another page follows.
   * @throws AppError VALIDATION_FAILED if the cursor is invalid, or the dates are in the wrong order
   */
  @Handles(listRooms)
  async execute(input: RpcInput<typeof listRooms>): Promise<RpcOutput<typeof listRooms>> {
    const { organizationId, status, title, startDate, endDate, startedFrom, startedTo, cursor, limit } = input;
    const created = rangeOf(startDate, endDate);
    if (isReversed(created)) throw invalidField('endDate', 'must not be before startDate');
    const started = rangeOf(startedFrom, startedTo);
    if (isReversed(started)) throw invalidField('startedTo', 'must not be before startedFrom');
    const after = cursor === undefined ? undefined : cursors.decode(cursor);
    const { rooms, next } = await this.rooms.page(organizationId, { status, title, created, started }, after, limit);
    return { rooms: rooms.map(toListed), nextCursor: next ? cursors.encode(next) : null };
  }

  @Handles(roomRpc.finishedSince)
  async finishedSince({ after, afterSid, before, limit }: RpcInput<typeof roomRpc.finishedSince>) {
    return { rooms: await this.rooms.finishedSince({ at: new Date(after), sid: afterSid }, new Date(before), limit) };
  }

  @Handles(roomRpc.hasLive)
  async hasLive({ organizationId }: RpcInput<typeof roomRpc.hasLive>) {
    return { hasLive: await this.rooms.hasLive(organizationId) };
  }
}

function rangeOf(first: string | undefined, last: string | undefined): Range {
  return { from: first === undefined ? null : new Date(first), until: last === undefined ? null : toExclusiveEnd(last) };
}

const isReversed = ({ from, until }: Range) => from !== null && until !== null && until <= from;

/** The exclusive end: a day is included up to its last millisecond, a timestamp up to and including itself. */
const toExclusiveEnd = (moment: string) => new Date(new Date(moment).getTime() + (IS_DAY.test(moment) ? DAY_MS : 1));

const toListed = (room: ListedRoom): RpcOutput<typeof listRooms>['rooms'][number] => ({
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
  startsAt: settingsOf(room).startsAt,
  teachers: room.teachers,
  totalParticipants: room.totalParticipants,
});
