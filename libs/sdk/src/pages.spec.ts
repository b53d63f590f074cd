import { Pages } from './pages.js';

const NEXT: Record<string, string | null> = { first: 'b', b: 'c', c: null };
const requestedCursors: string[] = [];
const letters = () =>
  new Pages(
    async (cursor = 'first') => {
      requestedCursors.push(cursor);
      return { items: [`${cursor}1`, `${cursor}2`], nextCursor: NEXT[cursor] };
    },
    ({ items }) => items,
    ({ nextCursor }) => nextCursor,
  );

describe('a paged list', () => {
  beforeEach(() => void requestedCursors.splice(0));

  it('is iterated as one list', async () => {
    const seen: string[] = [];
    for await (const item of letters()) seen.push(item);
    expect(seen).toEqual(['first1', 'first2', 'b1', 'b2', 'c1', 'c2']);
  });

  it('requests no page before it is needed', async () => {
    for await (const item of letters()) if (item === 'b1') break;
    expect(requestedCursors).toEqual(['first', 'b']);
  });

  it('returns a single page on request', async () => {
    expect(await letters().page()).toEqual({ items: ['first1', 'first2'], nextCursor: 'b' });
    expect(await letters().page('c')).toEqual({ items: ['c1', 'c2'], nextCursor: null });
    expect(requestedCursors).toEqual(['first', 'c']);
  });

  it('can be iterated again', async () => {
    const list = letters();
    for await (const _ of list);
    for await (const _ of list.pages());
    expect(requestedCursors).toEqual(['first', 'b', 'c', 'first', 'b', 'c']);
  });
});
