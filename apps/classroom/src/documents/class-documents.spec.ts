import { ApiError } from '@classroom/page/api-error';
import { type ClassDocument, ClassDocuments, conversionProblemOf } from './class-documents.js';
import { isPicture, titleOf, typeOf } from './file-types.js';
import { Refused, type sendFile } from './send-file.js';

const fileOf = (name: string, { type = '', size = 10 } = {}) => ({ name, type, size }) as File;

describe('the documents of a class', () => {
  let stored: ClassDocument[];
  let created: object[];
  let createFails: Error | undefined;
  let sendFails: Error | undefined;
  let progress: Parameters<typeof sendFile>[2] | undefined;
  let finish: () => void;
  let documents: ClassDocuments;

  const files = () => documents.get().files.map(({ title, step, share, problem }) => [title, step, share, problem]);
  const convert = (change: Partial<ClassDocument>) => (stored = stored.map((document) => ({ ...document, ...change })));
  const wait = (ms = 0) => jest.advanceTimersByTimeAsync(ms);

  beforeEach(() => {
    jest.useFakeTimers();
    [stored, created, createFails, sendFails, progress] = [[], [], undefined, undefined, undefined];
    documents = new ClassDocuments({
      api: {
        createDocumentInClass: async (about) => {
          if (createFails) throw createFails;
          created.push(about);
          const documentId = `doc_${created.length}`;
          const createdAt = '2026-01-01T00:00:00.000Z';
          stored.push({ documentId, title: about.title, status: 'pending', message: null, pages: null, createdAt });
          return { documentId, upload: { protocol: 'tus', url: `https://media.example/uploads/${documentId}`, expiresAt: createdAt } };
        },
        listDocumentsInClass: async () => ({ documents: stored }),
        deleteDocumentInClass: async ({ documentId }) => {
          if (!stored.some((document) => document.documentId === documentId)) throw new ApiError('DOCUMENT_NOT_FOUND');
          stored = stored.filter((document) => document.documentId !== documentId);
          return { documentId, deletedAt: '2026-01-01T00:00:00.000Z' };
        },
      },
      send: (_, __, options) => {
        progress = options;
        return new Promise((resolve, reject) => {
          finish = resolve;
          options.signal.addEventListener('abort', () => reject(options.signal.reason as Error));
          if (sendFails) reject(sendFails);
        });
      },
    });
  });
  afterEach(() => jest.useRealTimers());

  it('are files that were uploaded and converted', async () => {
    const added = documents.add(fileOf('Right triangles.PDF', { type: 'application/pdf', size: 200 }));
    await wait();
    expect(created).toEqual([{ title: 'Right triangles', fileName: 'Right triangles.PDF', size: 200, contentType: 'application/pdf' }]);
    progress?.onSent(50);
    expect(files()).toEqual([['Right triangles', 'sending', 0.25, undefined]]);
    progress?.onWaiting(true);
    expect(files()).toEqual([['Right triangles', 'waiting', 0.25, undefined]]);
    progress?.onWaiting(false);
    finish();
    await wait();
    expect(files()).toEqual([['Right triangles', 'converting', 1, undefined]]);
    await wait(5_000);
    convert({ status: 'completed', pages: 3 });
    await wait(5_000);
    expect([await added, files(), documents.get().documents]).toEqual([expect.objectContaining({ pages: 3 }), [], stored]);
  });

  it('fail with a reason, which the list has', async () => {
    const added = documents.add(fileOf('a.pdf'));
    await wait();
    convert({ status: 'failed', message: 'The file has no pages' });
    finish();
    await wait();
    expect([await added, files(), documents.get().documents]).toEqual([undefined, [], [expect.objectContaining({ status: 'failed' })]]);
  });

  it('are deleted, also if another person was faster', async () => {
    const added = documents.add(fileOf('a.pdf'));
    await wait();
    convert({ status: 'completed', pages: 1 });
    finish();
    await added;
    const known = documents.get().documents;
    stored = [];
    await documents.delete('doc_1');
    expect([known?.length, documents.get().documents]).toEqual([1, []]);
  });

  it.each([
    ['of a type that is not taken', fileOf('a.docx'), 'unknownType'],
    ['without content', fileOf('a.pdf', { size: 0 }), 'empty'],
    ['that is too large', fileOf('a.pdf', { size: 105_000_000 }), 'tooLarge'],
  ])('are no files %s', async (_, file, problem) => {
    expect(await documents.add(file)).toBeUndefined();
    expect([created, documents.get().files.map((one) => one.problem)]).toEqual([[], [problem]]);
    documents.cancel(documents.get().files[0]!.key);
    expect(files()).toEqual([]);
  });

  it('are refused with what the service says', async () => {
    createFails = new ApiError('TOO_MANY_DOCUMENTS');
    await documents.add(fileOf('a.pdf'));
    expect(files()).toEqual([['a', 'failed', 0, 'TOO_MANY_DOCUMENTS']]);
  });

  it.each([
    [410, 'refused'],
    [507, 'QUOTA_EXCEEDED'],
  ])('leave nothing behind when the upload ends with the status %s', async (status, problem) => {
    sendFails = new Refused(status);
    await documents.add(fileOf('a.pdf'));
    await wait();
    expect([files(), stored]).toEqual([[['a', 'failed', 0, problem]], []]);
  });

  it('leave nothing behind when they are cancelled, or the stay ends', async () => {
    const all = [documents.add(fileOf('a.pdf')), documents.add(fileOf('b.pdf'))];
    await wait();
    documents.cancel(documents.get().files[0]!.key);
    await wait();
    expect([files(), stored.map(({ title }) => title)]).toEqual([[['b', 'sending', 0, undefined]], ['b']]);
    documents.stop();
    await wait();
    expect([await Promise.all(all), files(), stored]).toEqual([[undefined, undefined], [], []]);
  });
});

it.each([
  ['slides.pdf', 'application/pdf'],
  ['SLIDES.PPTX', 'application/vnd.openxmlformats-officedocument.presentationml.presentation'],
  ['photo.jpeg', 'image/jpeg'],
  ['notes.docx', undefined],
  ['pdf', 'application/pdf'],
])('the type of %s is %s', (name, type) => expect(typeOf(fileOf(name))).toBe(type));

it('pictures are known by what the browser says before the name', () => {
  expect([fileOf('a.png'), fileOf('a.pdf', { type: 'image/png' }), fileOf('a.pdf')].map(isPicture)).toEqual([true, true, false]);
});

it.each([
  ['Right triangles.pdf', 'Right triangles'],
  ['.pdf', '.pdf'],
  [`${'😀'.repeat(300)}.pdf`, '😀'.repeat(256)],
])('the title of %s is its name', (name, title) => expect(titleOf(fileOf(name))).toBe(title));

it('the page has its own words for what the service says of a failed conversion', () => {
  expect(conversionProblemOf('The file is encrypted or protected by a password: save it without protection')).toBe('encrypted');
  expect(conversionProblemOf('The file has too many pages: at most 500 are taken')).toBe('tooManyPages');
  expect(conversionProblemOf('The file can’t be read: it is no PDF, PNG or JPEG, or it is damaged')).toBe('unreadable');
  expect([conversionProblemOf('Something new'), conversionProblemOf(null)]).toEqual([undefined, undefined]);
});
