import { Injectable } from '@nestjs/common';
import { AppError, boardRpc, type BoardDrawing, type RpcInput } from '@classroom/contracts';
import { Handles, TextStreams } from '@classroom/messaging';
import { RoomReadsRepository } from '../rooms/room-reads.repository.js';
import { toElement } from './board-states.js';
import { BoardRepository } from './board.repository.js';
import { boxOfPage, toSvg, type Drawing } from './page-svg.js';

type Pages = Awaited<ReturnType<BoardRepository['pages']>>;

/** The board for the organization's backend and for other services, also after the class. */
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
    const { sid, pages } = await this.read(organizationId, roomId);
    if (format === 'json') return this.streams.open(inbox, () => this.json(sid, pages));
    const [page] = pageId === undefined ? pages : onlyPage(pages, pageId);
    if (!page) throw new AppError('BOARD_PAGE_NOT_FOUND');
    return this.streams.open(inbox, () => this.svg(sid, page));
  }

  /** @throws AppError ROOM_NOT_FOUND, BOARD_PAGE_NOT_FOUND */
  @Handles(boardRpc.drawings)
  async drawings({ organizationId, roomId, pageId, inbox }: RpcInput<typeof boardRpc.drawings>) {
    const { sid, pages } = await this.read(organizationId, roomId);
    const wanted = pageId === undefined ? pages : onlyPage(pages, pageId);
    return this.streams.open(inbox, () => this.drawingsOf(sid, wanted));
  }

  private async read(organizationId: string, roomId: string): Promise<{ sid: string; pages: Pages }> {
    const room = await this.rooms.find(organizationId, roomId);
    if (!room) throw new AppError('ROOM_NOT_FOUND');
    return { sid: room.sid, pages: await this.board.pages(room.sid) };
  }

  /** Page by page: a whole board may be larger than memory should hold. */
  private async *json(sid: string, pages: Pages): AsyncGenerator<string> {
    const board = await this.board.find(sid);
    yield `{"isShown":${board?.isShown ?? false},"currentPageId":${JSON.stringify(board?.currentPageId ?? null)},"pages":[`;
    for (const [index, { position: _, ...page }] of pages.entries()) {
      const elements = (await this.board.elementsOn(sid, page.pageId)).map(toElement);
      yield (index === 0 ? '' : ',') + JSON.stringify({ ...page, elements });
    }
    yield ']}';
  }

  private async *svg(sid: string, page: Pages[number]): AsyncGenerator<string> {
    yield toSvg(await this.drawn(sid, page), page);
  }

  private async *drawingsOf(sid: string, pages: Pages): AsyncGenerator<string> {
    for (const page of pages) {
      const drawn = await this.drawn(sid, page);
      const { pageId, documentId, documentPage } = page;
      const drawing: BoardDrawing = { pageId, documentId, documentPage, svg: toSvg(drawn, page), box: boxOfPage(drawn, page) };
      yield `${JSON.stringify(drawing)}\n`;
    }
  }

  private async drawn(sid: string, { pageId }: Pages[number]): Promise<Drawing[]> {
    return (await this.board.elementsOn(sid, pageId)).map(({ element }) => JSON.parse(element ?? '{}') as Drawing);
  }
}

/** @throws AppError BOARD_PAGE_NOT_FOUND */
function onlyPage(pages: Pages, pageId: string): Pages {
  const found = pages.filter((page) => page.pageId === pageId);
  if (found.length === 0) throw new AppError('BOARD_PAGE_NOT_FOUND');
  return found;
}
