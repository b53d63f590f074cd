import type { ChatMessage } from '@virtual-classroom/sdk';
import type { Command } from 'commander';
import { time } from '../output/text.js';
import type { Session } from '../session.js';
import { declare, type Extent, group, paged, pageSize, take } from './declare.js';

export function addChat(program: Command, session: Session): void {
  const chat = group(program, 'chat', 'the chat of a room, during the class and after it');
  const room = (command: Command) => command.argument('<roomId>', 'id of the room');

  room(paged(declare(chat, 'list', 'list the messages, oldest first', ['chat list algebra-1', 'chat list algebra-1 --all --json']))).action(
    async (roomId: string, extent: Extent) => {
      const pages = session.client().rooms.chat.list(roomId, { limit: pageSize(extent) });
      session.print.list(
        await take(pages, extent, session.print),
        [
          ['sent', ({ sentAt }) => time(sentAt)],
          ['name', ({ name }) => name],
          ['role', ({ role }) => role],
          ['to', ({ audience }) => (audience === 'TEACHERS' ? 'teachers' : 'everyone')],
          ['reports', ({ reports }) => reports ?? 0],
          ['message', ({ id }) => id],
          ['text', textOf],
        ],
        'There are no messages.',
      );
    },
  );

  room(declare(chat, 'delete', 'erase the text of a message for everyone', ['chat delete algebra-1 6a5826a8-ab82-4e66-b1fb-3b074b1f279a']))
    .argument('<messageId>', 'id of the message')
    .action(async (roomId: string, messageId: string) => {
      const deleted = await session.client().rooms.chat.delete(roomId, messageId);
      session.print.record(deleted, { Message: deleted.id, Name: deleted.name, Deleted: time(deleted.deletedAt) });
    });
}

const textOf = ({ text, deletedAt, deletedBy }: ChatMessage): string => (deletedAt ? `(deleted by ${deletedBy ?? 'the backend'})` : text);
