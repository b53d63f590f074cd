import type { BoardElement, BoardUpdate } from '@classroom/contracts';
import { afterSlides, BoardState, NO_BOARD, picturesOf, textsOf, viewedPage } from './board.js';
import { PacketReader } from './packets.js';

const element = (id: string, version: number, more: object = {}): BoardElement => ({
  pageId: 'p',
  uid: 'ada',
  version,
  element: { id, isDeleted: false, ...more },
});
const update = (base: number, version: number, ids: string[], more: Partial<BoardUpdate> = {}): BoardUpdate => ({
  base,
  version,
  elements: ids.map((id) => element(id, version)),
  hasMore: false,
  ...more,
});
const idsOf = (state: BoardState) => state.elementsOf('p').map(({ element: { id } }) => id);

describe('the board of a class', () => {
  it('is what the service has, in whatever order and however often its updates arrive', () => {
    const all = [update(0, 1, ['a']), update(1, 2, ['b']), update(2, 3, ['a']), update(1, 3, ['a', 'b'])];
    for (let order = 0; order < 4 ** 4; order += 1) {
      const state = new BoardState();
      const digits = [order % 4, (order >> 2) % 4, (order >> 4) % 4, (order >> 6) % 4];
      for (const at of digits) state.apply(all[at]!);
      // What is missing is fetched.
      if (state.version < 3) expect(state.apply(update(state.version, 3, ['a', 'b']))).toBe(true);
      expect([state.version, state.find('a')?.version, idsOf(state).sort()]).toEqual([3, 3, ['a', 'b']]);
    }
  });

  it('misses something after a gap, and in an update that is too large for a message', () => {
    const state = new BoardState();
    expect(state.apply(update(0, 1, ['a']))).toBe(true);
    expect(state.apply(update(2, 3, ['c']))).toBe(false);
    expect(state.apply(update(1, 2, [], { isPartial: true, hasMore: true }))).toBe(false);
    expect([state.version, idsOf(state)]).toEqual([1, ['a']]);
    // What is known already is not missing.
    expect(state.apply(update(0, 1, [], { isPartial: true, hasMore: true }))).toBe(true);
  });

  it('never replaces an element by an older one, and keeps who drew it', () => {
    const state = new BoardState();
    state.apply(update(0, 4, ['a'], { board: { ...NO_BOARD, isShown: true } }));
    state.confirm({ ...element('a', 7, { x: 7 }), uid: 'ben' });
    state.apply(update(4, 6, [], { elements: [element('a', 5, { x: 5 })] }));
    expect([state.find('a')?.uid, state.find('a')?.element['x'], state.details.isShown]).toEqual(['ada', 7, true]);
    state.confirm(element('a', 8, { isDeleted: true, x: 8 }));
    expect(state.find('a')?.element).toEqual({ id: 'a', isDeleted: true });
  });

  it('is loaded with the first answer, also one without a board', () => {
    const state = new BoardState();
    expect([state.isLoaded, state.apply(update(0, 0, [])), state.isLoaded]).toEqual([false, true, true]);
  });
});

describe('the page that a participant sees', () => {
  const pages = ['a', 'b', 'c'].map((pageId) => ({ pageId, template: 'blank' as const, documentId: null, documentPage: null }));
  const viewed = (currentPageId: string | null, chosenPageId?: string) => {
    const { page, place, previous, next } = viewedPage({ pages, currentPageId, chosenPageId }) ?? {};
    return [page?.pageId, place, previous, next];
  };

  it('is the page of the class, or the one that they chose', () => {
    expect(viewed('a')).toEqual(['a', 1, undefined, 'b']);
    expect(viewed('a', 'c')).toEqual(['c', 3, 'b', undefined]);
    expect(viewed(null)).toEqual([undefined, undefined, undefined, undefined]);
  });

  it('is the page of the class again when the chosen one is deleted', () => expect(viewed('b', 'deleted')).toEqual(['b', 2, 'a', 'c']));

  it('tears no slides apart when others are inserted', () => {
    const slide = (pageId: string, documentId: string | null) => ({ pageId, template: 'blank' as const, documentId, documentPage: 1 });
    const all = [slide('a', null), slide('b', 'one'), slide('c', 'one'), slide('d', 'two'), slide('e', null)];
    expect(['a', 'b', 'c', 'd', 'e'].map((pageId) => afterSlides(all, pageId))).toEqual(['a', 'c', 'c', 'd', 'e']);
    expect([afterSlides(all.slice(0, 3), 'b'), afterSlides(all, 'gone'), afterSlides([], undefined)]).toEqual(['c', undefined, undefined]);
  });

  it('has its texts in reading order', () => {
    const texts = [
      ['below', 0, 90],
      ['right', 50, 10],
      ['left', 5, 10],
      [' ', 0, 0],
    ].map(([text, x, y], at) => element(String(at), 1, { type: 'text', text, x, y }));
    expect(textsOf([...texts, element('gone', 1, { type: 'text', text: 'gone', isDeleted: true }), element('shape', 1)])).toEqual([
      'left',
      'right',
      'below',
    ]);
  });
});

it('the pictures of a page are documents, each once', () => {
  const picture = (id: string, fileId: string, more: object = {}) => element(id, 1, { type: 'image', fileId, ...more });
  const all = [picture('a', 'doc_1'), picture('b', 'doc_1'), picture('c', 'doc_2', { isDeleted: true }), element('d', 1, { type: 'line' })];
  expect(picturesOf(all)).toEqual(['doc_1']);
});

describe('a data packet of the board', () => {
  const bytes = (content: unknown) => new TextEncoder().encode(JSON.stringify(content));
  const read = (content: unknown, more: object = {}, reader = new PacketReader()) =>
    reader.read({ payload: bytes(content), topic: 'board', sender: undefined, ...more });

  it('is an update or a pointer of the server', () => {
    expect(read(update(1, 2, ['a']))).toMatchObject({ base: 1, version: 2 });
    const pointer = { uid: 'ada', pageId: 'p', x: 1, y: 2 };
    expect(read({ pointer })).toEqual({ pointer });
  });

  it('may be a piece of an update, which needs all of them in order', () => {
    const long = update(1, 2, ['ä'.repeat(100)]);
    const json = Array.from(bytes(long), (byte) => String.fromCharCode(byte)).join('');
    const pieces = [0, 1, 2].map((at) => ({
      piece: { version: 2, at, of: 3, base64: btoa(json.slice(at * 99, at < 2 ? (at + 1) * 99 : undefined)) },
    }));
    const readAll = (order: number[]) => {
      const reader = new PacketReader();
      return order.map((at) => read(pieces[at], {}, reader));
    };
    expect(readAll([0, 1, 2])).toEqual([undefined, undefined, long]);
    expect(readAll([0, 2, 0, 1, 2]).at(-1)).toEqual(long);
    expect(readAll([0, 2])).toEqual([undefined, undefined]);
    expect(readAll([1, 2])).toEqual([undefined, undefined]);
  });

  it.each([
    ['of a participant', update(1, 2, []), { sender: 'mallory' }],
    ['with another topic', update(1, 2, []), { topic: 'class' }],
    ['without elements', { base: 1, version: 2 }, {}],
    ['with a pointer to nowhere', { pointer: { uid: 'ada', pageId: 'p', x: null, y: 2 } }, {}],
    ['without content', null, {}],
    ['that is no JSON', undefined, { payload: new Uint8Array([123]) }],
  ])('%s is ignored', (_, content, more) => expect(read(content, more)).toBeUndefined());
});
