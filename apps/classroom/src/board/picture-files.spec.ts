import { ApiError } from '@classroom/page/api-error';
import { type PictureFile, PictureFiles } from './picture-files.js';

const pictureOf = (fileId: string | null, isDeleted = false) => ({ type: 'image', isDeleted, fileId });

describe('the pictures of a page', () => {
  let added: PictureFile[];
  let asked: string[];
  let faults: Error[];

  const start = (isOnSlide = false) =>
    new PictureFiles({
      isOnSlide,
      add: (file) => added.push(file),
      find: async (documentId, page, isNew) => {
        asked.push(`${documentId} ${page}${isNew ? ' new' : ''}`);
        const fault = faults.shift();
        if (fault) throw fault;
        return { title: 'Photo', text: '', width: 80, height: 40, url: `https://media.example/${documentId}`, previewUrl: '' };
      },
      read: async (url) => `data:image/jpeg;base64,${btoa(url)}`,
    });

  beforeEach(() => {
    jest.useFakeTimers();
    [added, asked, faults] = [[], [], []];
  });
  afterEach(() => jest.useRealTimers());

  it('are loaded once each, as long as their elements are there', async () => {
    const pictures = start();
    pictures.load([pictureOf('a'), pictureOf('b', true), pictureOf(null), { type: 'line', isDeleted: false }]);
    pictures.load([pictureOf('a'), pictureOf('a')]);
    await jest.advanceTimersByTimeAsync(0);
    expect(asked).toEqual(['a 1']);
    expect(added).toMatchObject([
      { id: 'a', mimeType: 'image/jpeg', dataURL: `data:image/jpeg;base64,${btoa('https://media.example/a')}` },
    ]);
    pictures.load([pictureOf('b')]);
    await jest.advanceTimersByTimeAsync(0);
    expect(added.map(({ id }) => id)).toEqual(['a', 'b']);
  });

  it('are loaded again after a failure, with new addresses, until the page is left', async () => {
    faults = [new ApiError('NO_ANSWER'), new Error('status 403')];
    const pictures = start();
    pictures.load([pictureOf('a')]);
    await jest.advanceTimersByTimeAsync(3_000);
    expect([asked, added.length]).toEqual([['a 1', 'a 1 new', 'a 1 new'], 1]);
    faults = [new ApiError('NO_ANSWER')];
    pictures.load([pictureOf('b')]);
    await jest.advanceTimersByTimeAsync(0);
    pictures.stop();
    await jest.advanceTimersByTimeAsync(60_000);
    expect([asked.length, added.length]).toEqual([4, 1]);
  });

  it('of a document that was deleted are not asked for again', async () => {
    faults = [new ApiError('DOCUMENT_NOT_FOUND')];
    start().load([pictureOf('a')]);
    await jest.advanceTimersByTimeAsync(60_000);
    expect([asked, added]).toEqual([['a 1'], []]);
  });

  it('above a slide are drawings, which the editor does not invert in the dark', async () => {
    start(true).load([pictureOf('a')]);
    await jest.advanceTimersByTimeAsync(0);
    const [{ mimeType, dataURL } = {} as PictureFile] = added;
    expect([mimeType, atob(dataURL.split(',')[1] ?? '')]).toEqual([
      'image/svg+xml',
      expect.stringContaining('<image href="data:image/jpeg;'),
    ]);
  });
});
