import { Injectable } from '@nestjs/common';
import { AppError, interactionRpc, type RpcInput, type RpcOutput } from '@classroom/contracts';
import { Handles } from '@classroom/messaging';
import { cursorOf } from '@classroom/persistence';
import { z } from 'zod';
import { RoomReadsRepository } from '../rooms/room-reads.repository.js';
import { ChatRepository } from './chat.repository.js';

/** The version of the last message of a page. */
const cursors = cursorOf(z.number().int().min(0));

/** The chat for the organization's backend, also after the class. */
@Injectable()
export class ListRoomChat {
  constructor(
    private readonly rooms: RoomReadsRepository,
    private readonly messages: ChatRepository,
  ) {}

  /** @throws AppError ROOM_NOT_FOUND, VALIDATION_FAILED (cursor) */
  @Handles(interactionRpc.chatPage)
  async execute(input: RpcInput<typeof interactionRpc.chatPage>): Promise<RpcOutput<typeof interactionRpc.chatPage>> {
    const { organizationId, roomId, cursor, limit } = input;
    const after = cursor === undefined ? 0 : cursors.decode(cursor);
    const room = await this.rooms.find(organizationId, roomId);
    if (!room) throw new AppError('ROOM_NOT_FOUND');
    const { messages, hasMore } = await this.messages.exportPage(room.sid, after, limit);
    const last = messages.at(-1);
    return { title: room.title, messages, nextCursor: hasMore && last ? cursors.encode(last.version) : null };
  }
}
