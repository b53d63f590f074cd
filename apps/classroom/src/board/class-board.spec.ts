import { FakeBoardService, FakeDrawer, PAGE, PAGE_DETAILS } from './fake-board.js';

const SLIDES = [1, 2].map(
  (documentPage) => ({ pageId: `slide-${documentPage}`, template: 'blank', documentId: 'doc_1', documentPage }) as const,
);

describe('the board during a stay', () => {
  let service: FakeBoardService;
  let ada: FakeDrawer;

  beforeEach(async () => {
    jest.useFakeTimers();
    service = new FakeBoardService();
    service.details = { ...service.details, pages: [PAGE_DETAILS, ...SLIDES] };
    ada = new FakeDrawer(service, 'ada');
    ada.slides = ['Thales’ circle', ''];
    ada.announced = [];
    ada.open();
    await jest.advanceTimersByTimeAsync(100);
  });
  afterEach(() => jest.useRealTimers());

  it('announces the board when it is shown, with its page', () => {
    expect(ada.announced).toEqual([
      ['board:announced.shown', undefined],
      ['board:announced.page', { page: 1, pages: 3, title: undefined, texts: '' }],
    ]);
  });

  const turnTo = async (pageId: string) => {
    ada.announced = [];
    void ada.board.goTo(pageId);
    await jest.advanceTimersByTimeAsync(0);
    return ada.announced.splice(0);
  };

  it('announces a slide with its place, its document and its text', async () => {
    const about = { pages: 3, title: 'Circles' };
    expect(await turnTo('slide-1')).toEqual([['board:announced.slideWithTexts', { ...about, page: 2, texts: 'Thales’ circle' }]]);
    expect(await turnTo('slide-2')).toEqual([['board:announced.slide', { ...about, page: 3, texts: '' }]]);
  });

  it('announces a slide that cannot be found as a page, and a page that was left meanwhile not at all', async () => {
    ada.failures = ['refused'];
    expect(await turnTo('slide-1')).toEqual([['board:announced.page', { page: 2, pages: 3, title: undefined, texts: '' }]]);
    void ada.board.goTo('slide-2');
    expect((await turnTo(PAGE)).map(([key]) => key)).toEqual(['board:announced.page']);
  });

  it('sends the last place of a pointer, also if it came too early', async () => {
    for (const x of [0.1, 0.2, 0.3]) ada.board.point({ pageId: null, x, y: 0 });
    await jest.advanceTimersByTimeAsync(1_000);
    expect(ada.pointers.map(({ x }) => x)).toEqual([0.1, 0.3]);
  });
});
