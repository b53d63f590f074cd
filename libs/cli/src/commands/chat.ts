import { Readable } from 'node:stream';
import type { ChatMessage, Query } from '@virtual-classroom/sdk';
import type { Command } from 'commander';
import { type Destination, saveFile, saving } from '../output/save-file.js';
import { time } from '../output/text.js';
import type { Session } from '../session.js';
import { choice, declare, group, paged, pageSize, take, type Extent } from './declare.js';

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

type Format = NonNullable<NonNullable<Query<'getRoomBoard'>>['format']>;

const FORMATS: readonly Format[] = ['pdf', 'png', 'svg', 'json'];

interface Options extends Destination {
  format: Format;
  page?: string;
}

export function addBoard(program: Command, session: Session): void {
  saving(
    declare(program, 'board', 'save the board of a room as a file, during the class and after it', [
      'board algebra-1',
      'board algebra-1 --format png --page 6a5826a8-ab82-4e66-b1fb-3b074b1f279a --out boards',
    ]),
  )
    .argument('<roomId>', 'id of the room')
    .addOption(
      choice('--format <format>', 'pdf: all pages over their slides; png, svg: one page; json: what is drawn', FORMATS).default('pdf'),
    )
    .option('--page <pageId>', 'id of the page, as JSON has it; default: the first as a picture, all as PDF')
    .action(async (roomId: string, { format, page, ...destination }: Options) => {
      const { rooms } = session.client();
      const read = async () =>
        format === 'json' ? JSON.stringify(await rooms.board(roomId)) : await rooms.boardFile(roomId, { format, pageId: page });
      const open = async () => Readable.from([Buffer.from(await read())]);
      const saved = await saveFile({ filename: `${roomId}-board.${format}`, open }, destination);
      session.print.record({ roomId, format, ...saved }, { Room: roomId, File: saved.file, Bytes: saved.size });
    });
}
