import { allPages } from './long-answers.js';

describe('all pages of a result', () => {
  /** @returns the pages, and the cursors with which they were read */
  async function read(...cursors: (string | null | undefined)[]) {
    const asked: (string | undefined)[] = [];
    const pages = await allPages(async (cursor) => {
      asked.push(cursor);
      return { number: asked.length, nextCursor: cursors[asked.length - 1] };
    });
    return [pages.map(({ number }) => number), asked];
  }

  it('are read by the cursor of the page before, until a page has none', async () => {
    expect(await read('second', 'third', null)).toEqual([
      [1, 2, 3],
      [undefined, 'second', 'third'],
    ]);
  });

  it.each([null, undefined, ''])('are one page if its cursor is %j', async (cursor) => {
    expect(await read(cursor, 'never')).toEqual([[1], [undefined]]);
  });
});
