import { Readable } from 'node:stream';
import type { Query } from '@virtual-classroom/sdk';
import type { Command } from 'commander';
import { type Destination, saveFile, saving } from '../output/save-file.js';
import type { Session } from '../session.js';
import { choice, declare } from './declare.js';

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
