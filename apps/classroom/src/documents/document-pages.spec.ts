import { ApiError } from '@classroom/page/api-error';
import { DocumentPages } from './document-pages.js';

describe('the addresses of slides', () => {
  let asked: number[];
  let answer: (after: number) => number[];
  let pages: DocumentPages;

  beforeEach(() => {
    jest.useFakeTimers();
    asked = [];
    answer = (after) => Array.from({ length: 40 - after }, (_, at) => after + 1 + at);
    pages = new DocumentPages(async ({ documentId, after }) => {
      asked.push(after);
      const signed = asked.length;
      return {
        documentId,
        title: 'Circles',
        status: 'completed',
        message: null,
        pages: answer(after).map((page) => ({
          page,
          width: 1_600,
          height: 900,
          url: `${page}?${signed}`,
          previewUrl: `small ${page}?${signed}`,
          ...(page > 1 && { text: `text ${page}` }),
        })),
        nextAfter: null,
      };
    });
  });
  afterEach(() => jest.useRealTimers());

  it('are asked for once for all pages that an answer brings', async () => {
    const found = await Promise.all([pages.find('d', 1), pages.find('d', 1)]);
    expect(found.map(({ url, text, title }) => [url, text, title])).toEqual([
      ['1?1', '', 'Circles'],
      ['1?1', '', 'Circles'],
    ]);
    expect(await pages.find('d', 40)).toMatchObject({ url: '40?1', text: 'text 40', previewUrl: 'small 40?1' });
    expect(asked).toEqual([0]);
    await pages.find('other', 1);
    expect(asked).toEqual([0, 0]);
  });

  it('of a page in the middle come with those before it, to which people leaf back', async () => {
    await pages.find('d', 30);
    expect([(await pages.find('d', 21)).url, asked]).toEqual(['21?1', [19]]);
  });

  it('are new before they end, and when they do not work', async () => {
    await pages.find('d', 1);
    jest.advanceTimersByTime(44 * 60_000);
    expect((await pages.find('d', 2)).url).toBe('2?1');
    jest.advanceTimersByTime(2 * 60_000);
    expect((await pages.find('d', 2)).url).toBe('2?2');
    expect((await pages.find('d', 2, true)).url).toBe('2?3');
    expect((await pages.find('d', 1)).url).toBe('1?3');
  });

  it('are asked for again after a failure', async () => {
    const works = answer;
    answer = () => {
      throw new ApiError('NO_ANSWER');
    };
    await expect(pages.find('d', 1)).rejects.toThrow('NO_ANSWER');
    answer = () => [2];
    await expect(pages.find('d', 1)).rejects.toThrow('no such page');
    answer = works;
    expect((await pages.find('d', 1)).url).toBe('1?3');
  });
});
