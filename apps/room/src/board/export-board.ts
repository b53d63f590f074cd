import { Injectable } from '@nestjs/common';
import { AppError, boardRpc, type RpcInput } from '@classroom/contracts';
import { Handles, TextStreams } from '@classroom/messaging';
import { RoomReadsRepository } from '../rooms/room-reads.repository.js';
import { toElement } from './board-states.js';
import { BoardRepository } from './board.repository.js';
import { toSvg, type Drawing } from './page-svg.js';

/** The board for the organization's backend, also after the class. */
@Injectable()
export class ExportBoard {
  constructor(
    private readonly rooms: RoomReadsRepository,
    private readonly board: BoardRepository,
    private readonly streams: TextStreams,
  ) {}

  /** @throws AppError ROOM_NOT_FOUND, BOARD_PAGE_NOT_FOUND */
  @Handles(boardRpc.export)
  async execute({ organizationId, roomId, format, pageId, inbox }: RpcInput<typeof boardRpc.export>) {
    const room = await this.rooms.find(organizationId, roomId);
    if (!room) throw new AppError('ROOM_NOT_FOUND');
    const pages = await this.board.pages(room.sid);
    if (format === 'json') return this.streams.open(inbox, () => this.json(room.sid, pages));
    const page = pageId === undefined ? pages[0] : pages.find((one) => one.pageId === pageId);
    if (!page) throw new AppError('BOARD_PAGE_NOT_FOUND');
    return this.streams.open(inbox, () => this.svg(room.sid, page));
  }

  /** Page by page: a whole board may be larger than memory should hold. */
  private async *json(sid: string, pages: Awaited<ReturnType<BoardRepository['pages']>>): AsyncGenerator<string> {
    const board = await this.board.find(sid);
    yield `{"isShown":${board?.isShown ?? false},"currentPageId":${JSON.stringify(board?.currentPageId ?? null)},"pages":[`;
    for (const [index, { position: _, ...page }] of pages.entries()) {
      const elements = (await this.board.elementsOn(sid, page.pageId)).map(toElement);
      yield (index === 0 ? '' : ',') + JSON.stringify({ ...page, elements });
    }
    yield ']}';
  }

  private async *svg(sid: string, page: Awaited<ReturnType<BoardRepository['pages']>>[number]): AsyncGenerator<string> {
    const rows = await this.board.elementsOn(sid, page.pageId);
    yield toSvg(
      rows.map(({ element }) => JSON.parse(element ?? '{}') as Drawing),
      page,
    );
  }
}
