import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  addBoardPage,
  allowToDraw,
  AppError,
  BOARD_TOPIC,
  changeBoard,
  clearBoardPage,
  deleteBoardPage,
  documentRpc,
  drawOnBoard,
  getBoard,
  invalidField,
  MAX_BOARD_PAGES,
  MAX_DRAWN_BYTES,
  MAX_ELEMENT_BYTES,
  pointAtBoard,
  type BoardPage,
  type BoardPointer,
  type ClassroomCaller,
  type RpcInput,
  type RpcOutput,
} from '@classroom/contracts';
import { Handles, RpcClient } from '@classroom/messaging';
import { Database, type Transaction } from '@classroom/persistence';
import { Clock, logger } from '@classroom/platform';
import { LiveKitRooms } from '../livekit/livekit-rooms.js';
import { RoomReadsRepository } from '../rooms/room-reads.repository.js';
import { ClassAuthorizer } from '../participants/class-authorizer.js';
import { ParticipantsRepository } from '../participants/participants.repository.js';
import { BoardBroadcaster, BoardStates } from './board-states.js';
import { BoardFlood } from './board-flood.js';
import { BoardRepository, type Drawn } from './board.repository.js';

/** What lies under a page. */
type UnderPage = Pick<BoardPage, 'documentId' | 'documentPage'>;
const BLANK_PAGE: UnderPage = { documentId: null, documentPage: null };

type Element = RpcInput<typeof drawOnBoard>['elements'][number];

/**
 * The board of a class. Permissions are read without the room's lock: many draw at the same time, and a stroke of the moment in which a class
 * ends does no harm. The board's own row decides the order.
 */
@Injectable()
export class Board {
  constructor(
    private readonly database: Database,
    private readonly authorizer: ClassAuthorizer,
    private readonly board: BoardRepository,
    private readonly states: BoardStates,
    private readonly broadcaster: BoardBroadcaster,
    private readonly flood: BoardFlood,
    private readonly participants: ParticipantsRepository,
    private readonly rooms: RoomReadsRepository,
    private readonly livekit: LiveKitRooms,
    private readonly rpc: RpcClient,
    private readonly clock: Clock,
  ) {}

  /** @throws AppError UNAUTHORIZED, ROOM_ENDED */
  @Handles(getBoard)
  async get({ caller, after }: RpcInput<typeof getBoard>): Promise<RpcOutput<typeof getBoard>> {
    await this.authorizer.requireReadAccess(caller);
    return this.states.updateSince(caller.sid, after);
  }

  /** @throws AppError UNAUTHORIZED, FORBIDDEN, ROOM_ENDED, BOARD_PAGE_NOT_FOUND, BOARD_FULL, RATE_LIMITED, VALIDATION_FAILED (an element is too large) */
  @Handles(drawOnBoard)
  async draw({ caller, pageId, elements }: RpcInput<typeof drawOnBoard>): Promise<RpcOutput<typeof drawOnBoard>> {
    const drawn = toDrawn(elements);
    const { sid, uid } = caller;
    const managesBoard = await this.requireDraw(caller);
    await this.flood.admit(caller, drawn);
    const results = await this.board.draw({ sid, pageId, uid, managesBoard }, drawn);
    const [first] = results;
    if (!first) {
      const pages = await this.board.pages(sid);
      throw new AppError(pages.some((page) => page.pageId === pageId) ? 'BOARD_FULL' : 'BOARD_PAGE_NOT_FOUND');
    }
    this.broadcaster.schedule(sid, first.version);
    return { version: first.version, refused: results.filter(({ isDrawn, isRepeated }) => !isDrawn && !isRepeated).map(({ id }) => id) };
  }

  /** @throws AppError UNAUTHORIZED, FORBIDDEN, ROOM_ENDED, BOARD_PAGE_NOT_FOUND */
  @Handles(changeBoard)
  async change({ caller, isShown, currentPageId }: RpcInput<typeof changeBoard>): Promise<RpcOutput<typeof changeBoard>> {
    return this.manage(caller, async (tx) => {
      const pages = await this.board.pagesIn(tx, caller.sid);
      if (currentPageId !== undefined && !pages.some(({ pageId }) => pageId === currentPageId)) throw new AppError('BOARD_PAGE_NOT_FOUND');
      return { isShown, page: currentPageId };
    });
  }

  /** @throws AppError UNAUTHORIZED, FORBIDDEN, ROOM_ENDED, BOARD_PAGE_NOT_FOUND, BOARD_FULL, DOCUMENT_NOT_FOUND, DOCUMENT_NOT_READY */
  @Handles(addBoardPage)
  async addPage({ caller, template, documentId, afterPageId }: RpcInput<typeof addBoardPage>): Promise<RpcOutput<typeof addBoardPage>> {
    // The access is checked before the document is looked up, and again with the change.
    await this.requireManage(caller);
    const added = documentId === undefined ? [BLANK_PAGE] : await this.pagesOfDocument(caller, documentId);
    const ids = added.map(() => randomUUID());
    const [first = ''] = ids;
    const { version } = await this.manage(caller, async (tx) => {
      const pages = await this.board.pagesIn(tx, caller.sid);
      if (pages.length + added.length > MAX_BOARD_PAGES) throw new AppError('BOARD_FULL');
      const before = afterPageId === undefined ? pages.at(-1) : pages.find((page) => page.pageId === afterPageId);
      if (afterPageId !== undefined && !before) throw new AppError('BOARD_PAGE_NOT_FOUND');
      const position = before ? before.position + 1 : 0;
      await this.board.insertPages(
        tx,
        { sid: caller.sid, position },
        added.map((page, at) => ({ ...page, pageId: ids[at] as string, template })),
      );
      return { page: pages.length === 0 ? first : undefined };
    });
    return { version, pageId: first };
  }

  private async pagesOfDocument({ organizationId, sid }: ClassroomCaller, documentId: string): Promise<UnderPage[]> {
    const room = await this.rooms.findBySid(sid);
    if (!room) throw new AppError('ROOM_ENDED');
    const { pages } = await this.rpc.call(documentRpc.pages, { organizationId, roomId: room.roomId, documentId });
    if (pages === null || pages === 0) throw new AppError('DOCUMENT_NOT_READY');
    return Array.from({ length: pages }, (_, at) => ({ documentId, documentPage: at + 1 }));
  }

  /** @throws AppError UNAUTHORIZED, FORBIDDEN, ROOM_ENDED */
  @Handles(deleteBoardPage)
  async deletePage({ caller, pageId }: RpcInput<typeof deleteBoardPage>): Promise<RpcOutput<typeof deleteBoardPage>> {
    await this.requireManage(caller);
    const present = await this.board.pages(caller.sid);
    if (!present.some((page) => page.pageId === pageId)) return { version: (await this.board.find(caller.sid))?.version ?? 0 };
    return this.manage(caller, async (tx, version) => {
      const pages = await this.board.pagesIn(tx, caller.sid);
      const at = pages.findIndex((page) => page.pageId === pageId);
      if (!(await this.board.deletePage(tx, caller.sid, pageId))) return {};
      await this.board.clear(tx, caller.sid, pageId, version);
      if ((await this.board.currentPage(tx, caller.sid)) !== pageId) return {};
      return { page: (pages[at + 1] ?? pages[at - 1])?.pageId ?? null };
    });
  }

  /** @throws AppError UNAUTHORIZED, FORBIDDEN, ROOM_ENDED, BOARD_PAGE_NOT_FOUND */
  @Handles(clearBoardPage)
  async clearPage({ caller, pageId }: RpcInput<typeof clearBoardPage>): Promise<RpcOutput<typeof clearBoardPage>> {
    return this.manage(caller, async (tx, version) => {
      const pages = await this.board.pagesIn(tx, caller.sid);
      if (!pages.some((page) => page.pageId === pageId)) throw new AppError('BOARD_PAGE_NOT_FOUND');
      await this.board.clear(tx, caller.sid, pageId, version);
      return {};
    });
  }

  /** @throws AppError UNAUTHORIZED, FORBIDDEN, ROOM_ENDED, PARTICIPANT_NOT_FOUND */
  @Handles(allowToDraw)
  async allowToDraw({ caller, uid, allowed }: RpcInput<typeof allowToDraw>): Promise<RpcOutput<typeof allowToDraw>> {
    const { version } = await this.manage(caller, async (tx) => {
      if (!(await this.participants.lock(tx, caller.sid, uid))) throw new AppError('PARTICIPANT_NOT_FOUND');
      if (allowed) await this.board.allow(tx, caller.sid, uid, this.clock.wall());
      else await this.board.forbid(tx, caller.sid, uid);
      return {};
    });
    return { version, uid };
  }

  /** Nothing is stored: a pointer that does not arrive is followed by the next one. @throws AppError UNAUTHORIZED, FORBIDDEN, ROOM_ENDED, RATE_LIMITED */
  @Handles(pointAtBoard)
  async point({ caller, pageId, x, y }: RpcInput<typeof pointAtBoard>): Promise<RpcOutput<typeof pointAtBoard>> {
    await this.requireDraw(caller);
    await this.flood.admit(caller);
    const packet: BoardPointer = { pointer: { uid: caller.uid, pageId, x, y } };
    await this.livekit.send(caller.sid, BOARD_TOPIC, Buffer.from(JSON.stringify(packet))).catch((error: unknown) => {
      logger.debug({ err: error, sid: caller.sid }, 'pointer not sent');
    });
    return {};
  }

  /** @returns whether the caller may change what others have drawn @throws AppError UNAUTHORIZED, FORBIDDEN, ROOM_ENDED */
  private async requireDraw(caller: ClassroomCaller): Promise<boolean> {
    const { permissions, uid } = await this.authorizer.requireReadAccess(caller);
    if (!permissions.draw && !(await this.board.isDrawer(caller.sid, uid)))
      throw new AppError('FORBIDDEN', { message: 'You may not draw on the board' });
    return permissions.manageBoard;
  }

  private async requireManage(caller: ClassroomCaller): Promise<void> {
    const { permissions } = await this.authorizer.requireReadAccess(caller);
    if (!permissions.manageBoard) throw new AppError('FORBIDDEN');
  }

  /** @param work gets the version of the change, and returns what it changes of the board's row */
  private async manage(
    caller: ClassroomCaller,
    work: (tx: Transaction, version: number) => Promise<{ isShown?: boolean | undefined; page?: string | null | undefined }>,
  ): Promise<{ version: number }> {
    await this.requireManage(caller);
    return this.database.transaction(async (tx) => {
      await this.board.open(tx, caller.sid);
      const locked = await this.board.change(tx, caller.sid);
      const { isShown, page } = await work(tx, locked);
      const version = isShown === undefined && page === undefined ? locked : await this.board.change(tx, caller.sid, { isShown, page });
      this.announce(tx, caller.sid, version);
      return { version };
    });
  }

  private announce(tx: Transaction, sid: string, version: number): void {
    tx.afterCommit(`board ${version}`, () => this.broadcaster.schedule(sid, version));
  }
}

/** The last of those with the same id, as they are stored. @throws AppError VALIDATION_FAILED that names the element */
function toDrawn(elements: readonly Element[]): Drawn[] {
  const byId = new Map<string, Drawn>();
  let bytes = 0;
  for (const [index, { isDeleted, ...element }] of elements.entries()) {
    const json = isDeleted ? null : JSON.stringify(element);
    const size = Buffer.byteLength(json ?? '');
    if (size > MAX_ELEMENT_BYTES) throw invalidField(`elements.${index}`, `must be at most ${MAX_ELEMENT_BYTES} bytes as JSON`);
    bytes += size;
    if (bytes > MAX_DRAWN_BYTES) throw invalidField('elements', `must be at most ${MAX_DRAWN_BYTES} bytes as JSON`);
    byId.set(element.id, { id: element.id, revision: element.version, nonce: element.versionNonce, element: json });
  }
  return [...byId.values()];
}
