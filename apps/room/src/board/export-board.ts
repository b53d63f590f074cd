import { Injectable } from '@nestjs/common';
import { AppError, boardExported, boardRpc, type BoardDrawing, type EventData, type RpcInput } from '@classroom/contracts';
import { fact, Handles, Outbox, TextStreams } from '@classroom/messaging';
import { Database } from '@classroom/persistence';
import { Clock } from '@classroom/platform';
import { RoomReadsRepository } from '../rooms/room-reads.repository.js';
import { toElement } from './board-states.js';
import { BoardRepository } from './board.repository.js';
import { boxOfPage, inOrder, picturesOf, toSvg, type Drawing } from './page-svg.js';

type Format = EventData<typeof boardExported>['format'];
type Pages = Awaited<ReturnType<BoardRepository['pages']>>;

/** The board for the organization's backend and for other services, also after the class. */
@Injectable()
export class ExportBoard {
  constructor(
    private readonly rooms: RoomReadsRepository,
    private readonly board: BoardRepository,
    private readonly streams: TextStreams,
    private readonly database: Database,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  /** @throws AppError ROOM_NOT_FOUND, BOARD_PAGE_NOT_FOUND */
  @Handles(boardRpc.export)
  async execute({ organizationId, roomId, format, pageId, inbox }: RpcInput<typeof boardRpc.export>) {
    const { sid, pages } = await this.read(organizationId, roomId);
    const [page] = format === 'svg' ? chosenOf(pages, pageId) : [];
    await this.record({ organizationId, sid, roomId, format });
    return this.streams.open(inbox, () => (page ? this.svg(sid, page) : this.json(sid, pages)));
  }

  /** @throws AppError ROOM_NOT_FOUND, BOARD_PAGE_NOT_FOUND */
  @Handles(boardRpc.drawings)
  async drawings({ organizationId, roomId, format, pageId, inbox }: RpcInput<typeof boardRpc.drawings>) {
    const { sid, pages } = await this.read(organizationId, roomId);
    const chosen = chosenOf(pages, pageId);
    const wanted = format === 'png' ? chosen.slice(0, 1) : chosen;
    await this.record({ organizationId, sid, roomId, format });
    return this.streams.open(inbox, () => this.drawingsOf(sid, wanted));
  }

  private async read(organizationId: string, roomId: string): Promise<{ sid: string; pages: Pages }> {
    const room = await this.rooms.find(organizationId, roomId);
    if (!room) throw new AppError('ROOM_NOT_FOUND');
    return { sid: room.sid, pages: await this.board.pages(room.sid) };
  }

  /** Before anything is sent: no export stays without its fact. */
  private async record(exported: { organizationId: string; sid: string; roomId: string; format: Format }): Promise<void> {
    const data = { ...exported, exportedAt: this.clock.wall().toISOString() };
    await this.database.transaction((tx) => this.outbox.add(tx, fact(boardExported, exported.sid, data)));
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
      const pictures = picturesOf(drawn);
      const svg = toSvg(drawn, page, pictures);
      const drawing: BoardDrawing = { pageId, documentId, documentPage, svg, pictures, box: boxOfPage(drawn, page) };
      yield `${JSON.stringify(drawing)}\n`;
    }
  }

  private async drawn(sid: string, { pageId }: Pages[number]): Promise<Drawing[]> {
    return inOrder((await this.board.elementsOn(sid, pageId)).map(({ element }) => JSON.parse(element ?? '{}') as Drawing));
  }
}

/** The page, or all. @throws AppError BOARD_PAGE_NOT_FOUND if there is none */
function chosenOf(pages: Pages, pageId: string | undefined): Pages {
  const found = pageId === undefined ? pages : pages.filter((page) => page.pageId === pageId);
  if (found.length === 0) throw new AppError('BOARD_PAGE_NOT_FOUND');
  return found;
}
