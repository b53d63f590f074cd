import { randomInt, randomUUID } from 'node:crypto';
import {
  addBoardPage,
  allowToDraw,
  answerConsent,
  boardDrawing,
  boardExported,
  boardRpc,
  BOARD_TOPIC,
  changeBoard,
  clearBoardPage,
  deleteBoardPage,
  drawOnBoard,
  endClass,
  getBoard,
  MAX_ELEMENT_BYTES,
  MAX_ELEMENTS,
  pointAtBoard,
  type BoardElement,
  type BoardPiece,
  type BoardUpdate,
} from '@classroom/contracts';
import { createInbox } from '@nats-io/transport-node';
import { eventually } from '@classroom/testing';
import type { ClassMember } from '../support/class-member.js';
import { refusal, type RoomFixture } from '../support/room-fixture.js';
import { sharedFixture } from '../support/shared-fixture.js';

let fixture: RoomFixture;
beforeAll(async () => {
  fixture = await sharedFixture();
});

interface Stroke {
  id: string;
  version: number;
  versionNonce: number;
  isDeleted?: boolean;
  x?: number;
  y?: number;
  type?: string;
  text?: string;
  fontSize?: number;
}
const stroke = (id: string, version = 1, more: Partial<Stroke> = {}): Stroke => ({
  id,
  version,
  versionNonce: randomInt(2 ** 31 - 1),
  ...more,
});

/** A class with a board of one page. */
async function scene() {
  const room = await fixture.newRoom();
  const teacher = await fixture.member(room, 'ada', 'TEACHER');
  const ben = await fixture.member(room, 'ben', 'STUDENT', { draw: true });
  const { pageId } = await teacher.act(addBoardPage, { template: 'grid' });
  const draw = (by: ClassMember, ...elements: Stroke[]) => by.act(drawOnBoard, { pageId, elements: elements as never });
  return { room, teacher, ben, pageId, draw };
}

const board = (by: ClassMember, after = 0) => by.act(getBoard, { after });

/** A page: it applies updates as they come, and fetches what it lacks. */
class Page {
  readonly elements = new Map<string, BoardElement>();
  private version = 0;

  constructor(private readonly member: ClassMember) {}

  apply({ base, version, elements }: BoardUpdate): void {
    if (base > this.version) return;
    for (const element of elements) {
      const present = this.elements.get(element.element.id);
      if (!present || present.version <= element.version) this.elements.set(element.element.id, element);
    }
    this.version = Math.max(this.version, version);
  }

  async fetch(): Promise<void> {
    for (let hasMore = true; hasMore;) {
      const update = await board(this.member, this.version);
      this.apply(update);
      ({ hasMore } = update);
    }
  }

  get shown() {
    const left = [...this.elements.values()].filter(({ element }) => !element.isDeleted);
    return left.map(({ element, uid }) => ({ uid, ...element })).sort((a, b) => a.id.localeCompare(b.id));
  }
}

describe('the board', () => {
  it('is empty before its first page, which is the current one', async () => {
    const { teacher, pageId } = await scene();
    const { board: details, elements, hasMore } = await board(teacher);
    expect({ details, elements, hasMore }).toEqual({
      details: {
        isShown: false,
        currentPageId: pageId,
        pages: [{ pageId, template: 'grid', documentId: null, documentPage: null }],
        drawers: [],
      },
      elements: [],
      hasMore: false,
    });
    const other = await fixture.member(await fixture.newRoom(), 'eve', 'TEACHER');
    expect(await board(other)).toMatchObject({ version: 0, board: { pages: [], currentPageId: null }, elements: [] });
  });

  it('has what is drawn in the order of the service, once, also if a call is repeated', async () => {
    const { teacher, ben, draw, pageId } = await scene();
    const first = [stroke('a', 1, { x: 1 }), stroke('b', 1)];
    const { version, refused } = await draw(ben, ...first);
    expect(refused).toEqual([]);
    expect((await draw(ben, ...first)).refused).toEqual([]);
    expect((await draw(ben, stroke('a', 2, { x: 2 }))).version).toBeGreaterThan(version);
    // Late: the page has drawn on since.
    expect((await draw(ben, stroke('a', 1, { x: 3 }))).refused).toEqual(['a']);
    const { elements } = await board(teacher);
    expect(elements.map(({ element, uid }) => [element.id, element['x'], uid])).toEqual([
      ['b', undefined, 'ben'],
      ['a', 2, 'ben'],
    ]);
    expect(new Set(elements.map((element) => element.pageId))).toEqual(new Set([pageId]));
    expect((await board(teacher, version)).elements.map(({ element }) => element.id)).toEqual(['a']);
  });

  it('lets participants change what they drew, and who manages it everything', async () => {
    const { room, teacher, ben, draw } = await scene();
    const mia = await fixture.member(room, 'mia', 'STUDENT', { draw: true });
    await draw(ben, stroke('a', 1, { x: 1 }));
    expect((await draw(mia, stroke('a', 2, { x: 9 }))).refused).toEqual(['a']);
    expect((await draw(mia, stroke('a', 2, { isDeleted: true }))).refused).toEqual(['a']);
    expect((await draw(teacher, stroke('a', 2, { x: 5 }))).refused).toEqual([]);
    expect((await board(mia)).elements).toMatchObject([{ uid: 'ben', element: { id: 'a', x: 5, isDeleted: false } }]);
    await draw(teacher, stroke('a', 3, { isDeleted: true }));
    expect((await board(mia)).elements).toEqual([]);
    expect((await board(mia, 1)).elements).toMatchObject([{ element: { id: 'a', isDeleted: true } }]);
  });

  it('is drawn on by who may, and by whom a teacher lets for this class', async () => {
    const { room, teacher, ben, draw } = await scene();
    const zoe = await fixture.member(room, 'zoe', 'STUDENT');
    expect(await refusal(draw(zoe, stroke('z')))).toBe('FORBIDDEN');
    expect(await refusal(zoe.act(pointAtBoard, { pageId: null, x: 0, y: 0 }))).toBe('FORBIDDEN');
    expect(await refusal(ben.act(allowToDraw, { uid: 'zoe', allowed: true }))).toBe('FORBIDDEN');
    expect(await refusal(teacher.act(allowToDraw, { uid: 'no-one', allowed: true }))).toBe('PARTICIPANT_NOT_FOUND');
    await teacher.act(allowToDraw, { uid: 'zoe', allowed: true });
    expect((await board(zoe)).board?.drawers).toEqual(['zoe']);
    expect((await draw(zoe, stroke('z'))).refused).toEqual([]);
    await teacher.act(allowToDraw, { uid: 'zoe', allowed: false });
    expect(await refusal(draw(zoe, stroke('z', 2)))).toBe('FORBIDDEN');
  });

  it('has pages that only who manages it adds, shows, clears and deletes', async () => {
    const { teacher, ben, pageId, draw } = await scene();
    for (const [contract, input] of [
      [addBoardPage, { template: 'blank' }],
      [changeBoard, { isShown: true }],
      [clearBoardPage, { pageId }],
      [deleteBoardPage, { pageId }],
    ] as const)
      expect(await refusal(ben.act(contract, input as never))).toBe('FORBIDDEN');
    const { pageId: last } = await teacher.act(addBoardPage, { template: 'lines' });
    const { pageId: middle } = await teacher.act(addBoardPage, { template: 'music', afterPageId: pageId });
    await teacher.act(changeBoard, { isShown: true, currentPageId: middle });
    const details = async () => (await board(ben)).board;
    expect(await details()).toMatchObject({ isShown: true, currentPageId: middle });
    expect((await details())?.pages.map((page) => page.pageId)).toEqual([pageId, middle, last]);
    expect(await refusal(teacher.act(changeBoard, { currentPageId: randomUUID() }))).toBe('BOARD_PAGE_NOT_FOUND');

    await draw(ben, stroke('a'), stroke('b'));
    await teacher.act(clearBoardPage, { pageId });
    expect((await board(ben)).elements).toEqual([]);
    await teacher.act(deleteBoardPage, { pageId: middle });
    expect((await details())?.currentPageId).toBe(last);
    await teacher.act(deleteBoardPage, { pageId: middle });
    expect(await refusal(ben.act(drawOnBoard, { pageId: middle, elements: [stroke('c')] as never }))).toBe('BOARD_PAGE_NOT_FOUND');
  });

  it('refuses what is too large by the name of the element', async () => {
    const { ben, draw } = await scene();
    const large = { ...stroke('a'), text: 'ä'.repeat(MAX_ELEMENT_BYTES / 2) };
    expect(await refusal(draw(ben, stroke('b'), large))).toBe('VALIDATION_FAILED elements.1');
    const many = Array.from({ length: 5 }, (_, n) => ({ ...stroke(`m${n}`), text: 'x'.repeat(30 * 1024) }));
    expect(await refusal(draw(ben, ...many))).toBe('VALIDATION_FAILED elements');
    expect((await board(ben)).elements).toEqual([]);
  });

  it('takes no more elements than a class may have, and changes to those that it has', async () => {
    const { room, ben, draw } = await scene();
    await draw(ben, stroke('a'));
    await fixture.stack.rows('UPDATE room.boards SET element_count = $2 WHERE sid = $1', [room.sid, MAX_ELEMENTS - 1]);
    expect(await refusal(draw(ben, stroke('b'), stroke('c')))).toBe('BOARD_FULL');
    expect((await draw(ben, stroke('b'))).refused).toEqual([]);
    expect(await refusal(draw(ben, stroke('c'), stroke('b', 2)))).toBe('BOARD_FULL');
    expect((await draw(ben, stroke('a', 2, { x: 7 }), stroke('b', 2, { isDeleted: true }))).refused).toEqual([]);
    expect((await board(ben)).elements).toMatchObject([{ element: { id: 'a', x: 7 } }]);
  });

  it('refuses the flood of one person, and takes what others draw', async () => {
    const { teacher, ben, draw } = await scene();
    const flood = async () => {
      for (let n = 1; ; n++) await draw(ben, ...['a', 'b', 'c', 'd'].map((id) => stroke(id, n, { text: 'x'.repeat(30_000) })));
    };
    expect(await refusal(flood())).toMatch(/^RATE_LIMITED retryAfter/);
    expect(await refusal(ben.act(pointAtBoard, { pageId: null, x: 0, y: 0 }))).toMatch(/^RATE_LIMITED/);
    expect((await draw(teacher, stroke('t'))).refused).toEqual([]);
    const after = await board(teacher);
    expect(after.elements.map(({ element }) => element.id)).toContain('t');
  });

  it('has for a film the names of those who drew and may be recorded, until the class is over', async () => {
    const recording = { ask: 'join', without: 'hide', version: '1', text: 'May we film?' } as const;
    const room = await fixture.newRoom({ consent: { recording } });
    const teacher = await fixture.member(room, 'ada', 'TEACHER');
    const { pageId } = await teacher.act(addBoardPage, { template: 'blank' });
    const pupils = await Promise.all(['ben', 'cara', 'dan'].map((uid) => fixture.member(room, uid, 'STUDENT', { draw: true })));
    const [ben, cara] = pupils as [ClassMember, ClassMember, ClassMember];
    const answer = (by: ClassMember, granted: boolean) => by.act(answerConsent, { purpose: 'recording', version: '1', granted });
    const filmed = (after = 0) => fixture.call(boardRpc.filmed, { sid: room.sid, after });
    expect(await filmed(1)).toMatchObject({ elements: [], recordable: [] });
    await answer(ben, true);
    await answer(cara, false);
    for (const member of [teacher, ...pupils]) await member.act(drawOnBoard, { pageId, elements: [stroke(member.uid)] as never });
    const { elements, recordable, board: details, version } = await filmed();
    expect(details).toMatchObject({ currentPageId: pageId, isShown: false });
    expect([elements.map(({ uid }) => uid), recordable.toSorted()]).toEqual([
      ['ada', 'ben', 'cara', 'dan'],
      ['ada', 'ben'],
    ]);
    await answer(cara, true);
    await answer(ben, false);
    const later = await filmed(version);
    expect([later.elements, later.recordable.toSorted()]).toEqual([[], ['ada', 'cara']]);
    expect(await refusal(fixture.call(boardRpc.filmed, { sid: 'RM_0000000000000000', after: 0 }))).toBe('ROOM_ENDED');
    await teacher.act(endClass, {});
    expect(await refusal(filmed())).toBe('ROOM_ENDED');
  });

  it('is the same on every page, whatever arrives twice, late or never', async () => {
    const { room, teacher, ben, draw } = await scene();
    const [mia, late] = [await fixture.member(room, 'mia', 'STUDENT', { draw: true }), await fixture.member(room, 'late', 'STUDENT')];
    const drawers = [teacher, ben, mia];
    const revisions = new Map<string, number>();
    const pages = [teacher, ben, mia].map((member) => new Page(member));
    for (let round = 0; round < 30; round += 1) {
      const batches = drawers.map((member) => {
        const id = `e${randomInt(12)}`;
        const version = (revisions.get(id) ?? 0) + 1;
        revisions.set(id, version);
        return { member, batch: stroke(id, version, { x: randomInt(1_000), isDeleted: randomInt(5) === 0 }) };
      });
      const calls = [...batches, ...batches.filter(() => randomInt(3) === 0)];
      await Promise.all(calls.map(({ member, batch }) => draw(member, batch)));
      // A page gets some updates pushed, misses others, and now and then fetches.
      const pushed = await board(teacher, Math.max(0, round - randomInt(3)));
      for (const page of pages) {
        if (randomInt(2) === 0) page.apply(pushed);
        if (randomInt(4) === 0) await page.fetch();
      }
    }
    const reloaded = new Page(late);
    for (const page of [...pages, reloaded]) await page.fetch();
    expect(reloaded.shown.length).toBeGreaterThan(0);
    for (const page of pages) expect(page.shown).toEqual(reloaded.shown);
  });

  it('is exported page by page, with a fact for each export', async () => {
    const { room, teacher, ben, pageId, draw } = await scene();
    const { pageId: second } = await teacher.act(addBoardPage, {});
    await draw(ben, stroke('a', 1, { type: 'text', text: 'of Ben <', fontSize: 20, x: 0, y: 0 }));
    const { roomId, sid } = room;
    const read = (input: object) => fixture.textForBackend(boardRpc.export, { roomId, ...input } as never);
    expect(JSON.parse(await read({ format: 'json' }))).toMatchObject({
      isShown: false,
      currentPageId: pageId,
      pages: [
        { pageId, elements: [{ uid: 'ben', element: { id: 'a', text: 'of Ben <' } }] },
        { pageId: second, elements: [] },
      ],
    });
    expect(await read({ format: 'svg' })).toContain('of Ben &lt;');
    expect(await read({ format: 'svg', pageId: second })).not.toContain('of Ben');

    const drawings = async (input: object) => {
      const lines = (await fixture.textForBackend(boardRpc.drawings, { roomId, ...input } as never, createInbox('_STREAM.media')))
        .split('\n')
        .slice(0, -1);
      return lines.map((line) => boardDrawing.parse(JSON.parse(line)));
    };
    const all = await drawings({ format: 'pdf' });
    expect(all.map((page) => page.pageId)).toEqual([pageId, second]);
    expect(all[0]?.svg).toContain('of Ben &lt;');
    expect((await drawings({ format: 'pdf', pageId: second })).map((page) => page.pageId)).toEqual([second]);
    expect((await drawings({ format: 'png' })).map((page) => page.pageId)).toEqual([pageId]);

    const facts = await eventually(async () => {
      const found = await fixture.facts(boardExported, sid);
      expect(found.map(({ format }) => format)).toEqual(['json', 'svg', 'svg', 'pdf', 'pdf', 'png']);
      return found;
    });
    expect(facts[0]).toEqual({ organizationId: fixture.organizationId, roomId, sid, format: 'json', exportedAt: expect.any(String) });
    for (const input of [{ format: 'svg' }, { format: 'svg', pageId: randomUUID() }])
      await expect(
        fixture.textForBackend(boardRpc.export, { roomId: (await fixture.newRoom()).roomId, ...input } as never),
      ).rejects.toMatchObject({
        code: 'BOARD_PAGE_NOT_FOUND',
      });
  });

  it('is pushed to everyone in class, as is a pointer, which is not stored', async () => {
    const { room, people } = await fixture.classOf(['TEACHER', 'STUDENT']);
    const [teacher, student] = people;
    const { pageId } = await teacher.act(addBoardPage, { template: 'blank' });
    const drawn = await teacher.act(drawOnBoard, { pageId, elements: [stroke('a', 1, { x: 4 })] as never });
    await teacher.act(pointAtBoard, { pageId, x: 1, y: 2 });
    await eventually(async () => {
      const updates = (await packetsOf(student)) as Partial<BoardUpdate>[];
      expect(updates).toContainEqual({ pointer: { uid: teacher.uid, pageId, x: 1, y: 2 } });
      expect(
        updates.some(({ version, elements = [] }) => version === drawn.version && elements.some(({ element }) => element.id === 'a')),
      ).toBe(true);
    });
    expect((await board(student)).elements).toHaveLength(1);
    expect(room.sid).toMatch(/^RM_/);
  });

  it('as several packets if it is a long stroke', async () => {
    const { people } = await fixture.classOf(['TEACHER', 'STUDENT']);
    const [teacher, student] = people;
    const { pageId } = await teacher.act(addBoardPage, { template: 'blank' });
    const text = 'ä'.repeat(12_000);
    await teacher.act(drawOnBoard, { pageId, elements: [{ ...stroke('long'), text }] as never });
    await eventually(async () => {
      const pieces = (await packetsOf(student))
        .flatMap((packet) => ('piece' in packet ? [packet as BoardPiece] : []))
        .map(({ piece }) => piece);
      expect(pieces.map(({ at, of }) => [at, of])).toEqual([0, 1, 2].map((at) => [at, 3]));
      const whole = Buffer.concat(pieces.map(({ base64 }) => Buffer.from(base64, 'base64'))).toString();
      expect((JSON.parse(whole) as BoardUpdate).elements).toMatchObject([{ element: { id: 'long', text } }]);
    });
  });
});

async function packetsOf({ connectionSid }: ClassMember): Promise<object[]> {
  const all = await fixture.livekit.packets(connectionSid);
  return all.filter(({ topic }) => topic === BOARD_TOPIC).map(({ data }) => JSON.parse(Buffer.from(data, 'base64').toString()) as object);
}
