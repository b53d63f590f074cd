import { Injectable } from '@nestjs/common';
import { BOARD_TOPIC, MAX_BOARD_PIECES, type BoardElement, type BoardPiece, type BoardUpdate } from '@classroom/contracts';
import { LiveKitRooms } from '../livekit/livekit-rooms.js';
import { Broadcaster } from '../livekit/broadcaster.js';
import { BoardRepository, type BoardRow, type ElementRow } from './board.repository.js';

/** Elements that are read together. */
const READ = 2_000;
/** Bytes of elements in one answer, which is one NATS message. */
const ELEMENTS_BYTES = 400 * 1024;
/** Bytes of a piece before it is base64. */
const PIECE_BYTES = 9 * 1024;

/** Reads the board: all of it, or what changed after a version. The same answer is pushed and returned to requests. */
@Injectable()
export class BoardStates {
  constructor(private readonly board: BoardRepository) {}

  async updateSince(sid: string, after: number): Promise<BoardUpdate> {
    const read = await this.board.since(sid, after, READ);
    if (!read) return { base: after, version: 0, board: EMPTY, elements: [], hasMore: false };
    const { board, elements: rows } = read;
    const fitting = wholeVersions(rows);
    const hasMore = fitting.length < rows.length || rows.length === READ;
    const update: BoardUpdate = {
      base: after,
      version: hasMore ? (fitting.at(-1)?.version ?? board.boardVersion) : board.boardVersion,
      elements: fitting.map(toElement),
      hasMore,
    };
    if (after === 0 || board.detailsVersion > after) update.board = await this.detailsOf(sid, board);
    return update;
  }

  /** May be newer than the version of the update: they are then sent again, which changes nothing. */
  private async detailsOf(sid: string, { isShown, currentPageId }: BoardRow): Promise<BoardUpdate['board']> {
    const [pages, drawers] = await Promise.all([this.board.pages(sid), this.board.drawers(sid)]);
    return { isShown, currentPageId, pages: pages.map(({ position: _, ...page }) => page), drawers };
  }
}

const EMPTY = { isShown: false, currentPageId: null, pages: [], drawers: [] };

/** As many as fit in an answer, to the end of a version: who continues after a version must not miss a part of it. */
function wholeVersions(rows: readonly ElementRow[]): ElementRow[] {
  let bytes = 0;
  let end = 0;
  for (const [index, { element, version }] of rows.entries()) {
    bytes += Buffer.byteLength(element ?? '') + 200;
    if (bytes > ELEMENTS_BYTES && end > 0) return rows.slice(0, end);
    if (rows[index + 1]?.version !== version) end = rows.length === READ && index === rows.length - 1 ? end : index + 1;
  }
  return rows.slice(0, end);
}

export const toElement = ({ elementId, element, pageId, uid, version }: ElementRow): BoardElement => ({
  pageId,
  uid,
  version,
  element: element === null ? { id: elementId, isDeleted: true } : { ...(JSON.parse(element) as object), id: elementId, isDeleted: false },
});

/** Sends what is drawn to the class. A page that misses a packet sees the gap in the versions, and fetches what it lacks. */
@Injectable()
export class BoardBroadcaster extends Broadcaster<BoardUpdate> {
  constructor(
    livekit: LiveKitRooms,
    private readonly states: BoardStates,
  ) {
    super(livekit, BOARD_TOPIC);
  }

  protected async messageOf(sid: string, base: number): Promise<BoardUpdate> {
    return this.states.updateSince(sid, base);
  }

  /** Long strokes grow with each packet: if everyone in class fetched them, that would be more calls than a class can have. */
  protected override piecesOf({ version }: BoardUpdate, whole: Buffer): BoardPiece[] | undefined {
    const of = Math.ceil(whole.length / PIECE_BYTES);
    if (of > MAX_BOARD_PIECES) return undefined;
    return Array.from({ length: of }, (_, at) => {
      const base64 = whole.toString('base64', at * PIECE_BYTES, (at + 1) * PIECE_BYTES);
      return { piece: { version, at, of, base64 } };
    });
  }

  protected withoutParts({ base, version }: BoardUpdate): BoardUpdate {
    return { base, version, elements: [], hasMore: true, isPartial: true };
  }
}
