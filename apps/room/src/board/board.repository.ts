import { Injectable } from '@nestjs/common';
import { MAX_BOARD_PAGES, MAX_ELEMENTS } from '@classroom/contracts';
import { MoreThanOrEqual } from 'typeorm';
import { arraysOf, columnsOf, Database, type RowOf, type Transaction } from '@classroom/persistence';
import type { Pseudonym } from '../participants/participants.repository.js';
import { BoardDrawerEntity } from '../schema/board-drawer.entity.js';
import { BoardElementEntity } from '../schema/board-element.entity.js';
import { BoardPageEntity } from '../schema/board-page.entity.js';
import { BoardEntity } from '../schema/board.entity.js';
import { sql } from '../schema/sql.js';

const open = sql('boards.open', 'INSERT INTO boards (sid) VALUES ($1) ON CONFLICT DO NOTHING');

/** Takes the next version, and holds the lock until the end of the transaction: so changes commit in the order of their versions. */
const change = sql(
  'boards.change',
  `UPDATE boards SET version = version + 1, details_version = version + 1, is_shown = coalesce(:isShown, is_shown),
          current_page_id = CASE WHEN :keepsPage THEN current_page_id ELSE :currentPageId::uuid END
    WHERE sid = :sid RETURNING version`,
);

/**
 * Draws on a page that exists, if the board has place for what is new. An element is replaced by its author, or by who manages the board, and by no late
 * change; one that is the same again changes nothing.
 */
const draw = sql(
  'boards.draw',
  `WITH board AS (
          UPDATE boards b SET version = b.version + 1, element_count = b.element_count + added.count
            FROM (SELECT count(*)::integer AS count FROM unnest(:ids::text[]) AS d(id)
                   WHERE NOT EXISTS (SELECT 1 FROM board_elements e WHERE e.sid = :sid AND e.element_id = d.id)) AS added
           WHERE b.sid = :sid AND EXISTS (SELECT 1 FROM board_pages p WHERE p.sid = :sid AND p.page_id = :pageId::uuid)
             AND (added.count = 0 OR b.element_count + added.count <= ${MAX_ELEMENTS}) RETURNING b.version),
        drawn AS (
          INSERT INTO board_elements AS e (sid, element_id, page_id, uid, version, revision, nonce, element)
          SELECT :sid, d.id, :pageId::uuid, :uid, board.version, d.revision, d.nonce, d.element
            FROM board, unnest(:ids::text[], :revisions::int8[], :nonces::int8[], :elements::text[]) AS d(id, revision, nonce, element)
          ON CONFLICT (sid, element_id) DO UPDATE SET page_id = excluded.page_id, version = excluded.version, revision = excluded.revision,
             nonce = excluded.nonce, element = excluded.element
           WHERE (e.uid = excluded.uid OR :managesBoard) AND (excluded.revision, excluded.nonce) <> (e.revision, e.nonce)
             AND excluded.revision >= e.revision
          RETURNING element_id)
   SELECT board.version AS "version!", d.id AS "id!", drawn.element_id IS NOT NULL AS "isDrawn!",
          coalesce((d.revision, d.nonce) = (e.revision, e.nonce), false) AS "isRepeated!"
     FROM board CROSS JOIN unnest(:ids::text[], :revisions::int8[], :nonces::int8[]) AS d(id, revision, nonce)
     LEFT JOIN drawn ON drawn.element_id = d.id
     LEFT JOIN board_elements e ON e.sid = :sid AND e.element_id = d.id`,
);

const clear = sql(
  'boards.clear',
  `UPDATE board_elements SET element = NULL, version = $3, revision = revision + 1 WHERE sid = $1 AND page_id = $2 AND element IS NOT NULL`,
);

/** The board with its elements. Of a first read, without those that were deleted. */
const since = sql(
  'boards.since',
  `SELECT b.version AS "boardVersion!", b.details_version AS "detailsVersion!", b.is_shown AS "isShown!", b.current_page_id AS "currentPageId",
          e.element_id AS "elementId", e.page_id AS "pageId", e.uid, e.version, e.element
     FROM boards b LEFT JOIN board_elements e ON e.sid = b.sid AND e.version > $2 AND (e.element IS NOT NULL OR $2 > 0)
    WHERE b.sid = $1 ORDER BY e.version, e.element_id LIMIT $3`,
);

const elementsOn = sql(
  'boards.elementsOn',
  `SELECT ${columnsOf(BoardElementEntity, { except: ['sid', 'revision', 'nonce'] })} FROM board_elements
    WHERE sid = $1 AND page_id = $2 AND element IS NOT NULL ORDER BY version, element_id`,
);

const peopleOf = sql('boards.peopleOf', 'SELECT DISTINCT uid FROM board_elements WHERE sid = $1 AND element IS NOT NULL LIMIT $2');

const pages = sql(
  'boards.pages',
  `SELECT ${columnsOf(BoardPageEntity, { except: ['sid'] })} FROM board_pages WHERE sid = $1 ORDER BY position, page_id LIMIT ${MAX_BOARD_PAGES}`,
);

const allow = sql(
  'boards.allow',
  'INSERT INTO board_drawers (sid, uid, allowed_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING uid',
);

const deleteOf = sql.planned('boards.deleteOf', 'DELETE FROM boards WHERE sid = ANY($1) RETURNING 1');

const deleteBy = sql.planned(
  'boards.deleteBy',
  `UPDATE board_elements e SET element = NULL FROM unnest($1::text[], $2::text[]) AS p(sid, uid)
    WHERE e.sid = p.sid AND e.uid = p.uid AND e.element IS NOT NULL RETURNING 1`,
);

const pseudonymize = sql.planned(
  'boards.pseudonymize',
  `WITH people AS (SELECT * FROM unnest($1::text[], $2::text[], $3::text[]) AS p(sid, uid, alias)),
        drawers AS (DELETE FROM board_drawers d USING people p WHERE d.sid = p.sid AND d.uid = p.uid)
   UPDATE board_elements e SET uid = p.alias FROM people p WHERE e.sid = p.sid AND e.uid = p.uid`,
);

export type ElementRow = RowOf<typeof elementsOn>;

/** What `boards.since` has of the board itself, in each of its rows. */
export type BoardRow = Pick<RowOf<typeof since>, 'boardVersion' | 'detailsVersion' | 'isShown' | 'currentPageId'>;

/** An element as it is to be stored. */
export interface Drawn {
  id: string;
  revision: number;
  nonce: number;
  /** Its JSON; null: deleted. */
  element: string | null;
}

@Injectable()
export class BoardRepository {
  constructor(private readonly database: Database) {}

  find(sid: string): Promise<BoardEntity | null> {
    return this.database.manager.findOneBy(BoardEntity, { sid });
  }

  async currentPage(tx: Transaction, sid: string): Promise<string | null> {
    return (await tx.manager.findOneBy(BoardEntity, { sid }))?.currentPageId ?? null;
  }

  async open(tx: Transaction, sid: string): Promise<void> {
    await tx.run(open, sid);
  }

  /** @param page null removes the current page; undefined keeps it @returns the version @throws Error if the board was not opened */
  async change(tx: Transaction, sid: string, { isShown, page }: { isShown?: boolean | undefined; page?: string | null | undefined } = {}) {
    const [row] = await tx.run(change, {
      sid,
      isShown: isShown ?? null,
      keepsPage: page === undefined,
      currentPageId: page ?? null,
    });
    if (!row) throw new Error(`${sid} has no board`);
    return row.version;
  }

  /** @returns nothing if there is no such page, or the board is full */
  draw(to: { sid: string; pageId: string; uid: string; managesBoard: boolean }, drawn: readonly Drawn[]) {
    const [ids, revisions, nonces, elements] = arraysOf(drawn, 'id', 'revision', 'nonce', 'element');
    return this.database.run(draw, { ...to, ids, revisions, nonces, elements });
  }

  async clear(tx: Transaction, sid: string, pageId: string, version: number): Promise<void> {
    await tx.run(clear, sid, pageId, version);
  }

  /** @returns the board with at most `limit` elements that changed after a version; undefined if the class has no board */
  async since(sid: string, after: number, limit: number): Promise<{ board: BoardRow; elements: ElementRow[] } | undefined> {
    const rows = await this.database.run(since, sid, after, limit);
    const [board] = rows;
    return board && { board, elements: rows.filter((row): row is typeof row & ElementRow => row.elementId !== null) };
  }

  /** What is drawn on a page. */
  elementsOn(sid: string, pageId: string): Promise<RowOf<typeof elementsOn>[]> {
    return this.database.run(elementsOn, sid, pageId);
  }

  /** The uids of those who drew what is on the board. */
  async peopleOf(sid: string, limit: number): Promise<string[]> {
    return (await this.database.run(peopleOf, sid, limit)).map(({ uid }) => uid);
  }

  pages(sid: string): Promise<RowOf<typeof pages>[]> {
    return this.database.run(pages, sid);
  }

  pagesIn(tx: Transaction, sid: string): Promise<RowOf<typeof pages>[]> {
    return tx.run(pages, sid);
  }

  /** Inserts pages from this position on; those that are there move up. `tx` must hold the board's lock. */
  async insertPages(
    tx: Transaction,
    { sid, position }: { sid: string; position: number },
    pages: readonly Omit<BoardPageEntity, 'sid' | 'position'>[],
  ): Promise<void> {
    await tx.manager.increment(BoardPageEntity, { sid, position: MoreThanOrEqual(position) }, 'position', pages.length);
    await tx.manager.insert(
      BoardPageEntity,
      pages.map((page, at) => ({ ...page, sid, position: position + at })),
    );
  }

  async deletePage(tx: Transaction, sid: string, pageId: string): Promise<boolean> {
    return ((await tx.manager.delete(BoardPageEntity, { sid, pageId })).affected ?? 0) > 0;
  }

  async drawers(sid: string): Promise<string[]> {
    const rows = await this.database.manager.find(BoardDrawerEntity, { where: { sid }, order: { uid: 'ASC' }, take: 1_000 });
    return rows.map(({ uid }) => uid);
  }

  isDrawer(sid: string, uid: string): Promise<boolean> {
    return this.database.manager.existsBy(BoardDrawerEntity, { sid, uid });
  }

  /** @returns whether it changed something */
  async allow(tx: Transaction, sid: string, uid: string, at: Date): Promise<boolean> {
    return (await tx.run(allow, sid, uid, at)).length > 0;
  }

  async forbid(tx: Transaction, sid: string, uid: string): Promise<boolean> {
    return ((await tx.manager.delete(BoardDrawerEntity, { sid, uid })).affected ?? 0) > 0;
  }

  /** Deletes the boards of these classes with everything on them. @returns how many */
  async deleteOf(tx: Transaction, sids: readonly string[]): Promise<number> {
    return (await tx.run(deleteOf, sids)).length;
  }

  /** Erases what these people drew. @returns how many elements */
  async deleteBy(tx: Transaction, people: readonly { sid: string; uid: string }[]): Promise<number> {
    return (await tx.run(deleteBy, ...arraysOf(people, 'sid', 'uid'))).length;
  }

  async pseudonymize(tx: Transaction, people: readonly Pseudonym[]): Promise<void> {
    await tx.run(pseudonymize, ...arraysOf(people, 'sid', 'uid', 'alias'));
  }
}
