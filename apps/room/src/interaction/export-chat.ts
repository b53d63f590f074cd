import { Injectable } from '@nestjs/common';
import { AppError, interactionRpc, type ChatMessage, type RpcInput, type RpcOutput } from '@classroom/contracts';
import { Handles, TextStreams } from '@classroom/messaging';
import { cell, line, row } from '@classroom/platform';
import { RoomReadsRepository } from '../rooms/room-reads.repository.js';
import type { Room } from '../rooms/room.js';
import { ChatRepository } from './chat.repository.js';

/** Messages that are read together. */
const PAGE_SIZE = 200;
const HEADER = 'Sent At,UID,Name,Role,Message,Visible To,Reports,Deleted At,Deleted By,Message ID';

/** The chat for the organization's backend as CSV, also after the class. */
@Injectable()
export class ExportChat {
  constructor(
    private readonly rooms: RoomReadsRepository,
    private readonly messages: ChatRepository,
    private readonly streams: TextStreams,
  ) {}

  /** @throws AppError ROOM_NOT_FOUND */
  @Handles(interactionRpc.exportChat)
  async execute(input: RpcInput<typeof interactionRpc.exportChat>): Promise<RpcOutput<typeof interactionRpc.exportChat>> {
    const { organizationId, roomId, isTable, inbox } = input;
    const room = await this.rooms.find(organizationId, roomId);
    if (!room) throw new AppError('ROOM_NOT_FOUND');
    return this.streams.open(inbox, () => chatCsv(room, isTable, this.pages(room.sid)));
  }

  /** A page is read when the reader has taken the one before. */
  private async *pages(sid: string): AsyncGenerator<ChatMessage[]> {
    for (let after: number | undefined = 0; after !== undefined;) {
      const { messages, hasMore }: Awaited<ReturnType<ChatRepository['exportPage']>> = await this.messages.exportPage(
        sid,
        after,
        PAGE_SIZE,
      );
      yield messages;
      after = hasMore ? messages.at(-1)?.version : undefined;
    }
  }
}

/** A title and the room, unless it is a table, then one row per message. */
export async function* chatCsv(
  { roomId, title }: Pick<Room, 'roomId' | 'title'>,
  isTable: boolean,
  pages: AsyncIterable<ChatMessage[]>,
): AsyncGenerator<string> {
  const facts = isTable ? '' : line('Chat') + row('Room ID', roomId) + row('Room Title', title) + line();
  yield facts + line(HEADER);
  for await (const messages of pages) if (messages.length > 0) yield messages.map(toLine).join('');
}

const toLine = ({ id, uid, name, role, text, sentAt, audience, reports = 0, deletedAt, deletedBy }: ChatMessage) =>
  line(
    [
      sentAt,
      cell(uid),
      cell(name),
      role,
      cell(text),
      audience === 'TEACHERS' ? 'Teachers' : 'Everyone',
      reports,
      deletedAt ?? '',
      deletedAt ? cell(deletedBy ?? 'Backend') : '',
      id,
    ].join(','),
  );
