import { fit, kindBy, MAX_TEXT, PageTexts, readPages } from './make-pages.js';
import { REJECTIONS } from './rejected-document.js';

describe('the picture of a page', () => {
  it.each([
    [720, 405, 1_600, 900],
    [405, 720, 1_600, 2_844],
    [14_400, 14_400, 1_600, 1_600],
    [10, 14_000, 2, 3_200],
    [14_000, 10, 1_600, 1],
  ])('of %d × %d points has %d × %d pixels', (width, height, across, up) => {
    expect(fit({ width, height }, 1_600)).toEqual({ width: across, height: up });
  });
});

describe('the text of pages', () => {
  const read = (...pieces: string[]) => {
    const texts = new PageTexts();
    for (const piece of pieces) texts.read(piece);
    return texts.all;
  };

  it('is that of each page, however the output is cut', () => {
    expect(read('One\n\n\fTw', 'o\n  words \fThr', 'ee\f')).toEqual(['One', 'Two\nwords', 'Three', '']);
  });

  it('is bounded, and has no control characters and no halves of characters', () => {
    const [text = '', other = ''] = read(`a\u0000b\tc\r\n\n\n d\f${'x'.repeat(MAX_TEXT - 1)}😀 and more`);
    expect(text).toBe('a b c\nd');
    expect(other).toHaveLength(MAX_TEXT);
    expect(other.isWellFormed()).toBe(true);
  });

  it('of more pages than a document has is not kept', () => {
    expect(read('x\f'.repeat(10_000)).length).toBeLessThan(600);
  });
});

const info = (pages: string[], { count = pages.length, encrypted = 'no', before = '' } = {}) => `${before}Custom Metadata: no
Form:            none
Pages:           ${count}
Encrypted:       ${encrypted}
${pages.join('\n')}
File size:       972 bytes
PDF version:     1.4
`;
const page = (number: number, size: string, degrees = 0) => `Page ${number} size:  ${size} pts\nPage ${number} rot:   ${degrees}`;

describe('the pages of a PDF', () => {
  it('have their size as they are shown', () => {
    const text = info([page(1, '720 x 405'), page(2, '612 x 792', 90), 'Page    3 size: 595.276 x 841.89 pts (A4)\nPage    3 rot:   0']);
    expect(readPages(text)).toEqual([
      { width: 720, height: 405 },
      { width: 792, height: 612 },
      { width: 595.276, height: 841.89 },
    ]);
  });

  it('are not those that a title claims', () => {
    const before = 'Title:           x\nPages:           1\nEncrypted:       no\nPage 1 size: 1 x 1 pts\n';
    expect(readPages(info([page(1, '720 x 405'), page(2, '720 x 405')], { before }))).toHaveLength(2);
  });

  it.each([
    ['tooMany', info([page(1, '720 x 405')], { count: 501 })],
    ['encrypted', info([page(1, '720 x 405')], { encrypted: 'yes (print:yes copy:no change:no addNotes:no algorithm:RC4)' })],
    ['tooLarge', info([page(1, '1e+09 x 1e+09')])],
    ['tooLarge', info([page(1, '10 x 14401')])],
    ['tooLarge', info([page(1, 'nan x 5')])],
    ['tooLarge', info([page(1, '0 x 5')])],
    ['empty', info([])],
    ['unreadable', info([page(1, '5 x 5')], { count: 2 })],
    ['unreadable', ''],
  ] as const)('are refused: %s', (reason, text) => {
    expect(() => readPages(text)).toThrow(REJECTIONS[reason]);
  });
});

describe('the kind of a file', () => {
  const none = Buffer.alloc(0);
  const zip = Buffer.from('PK\u0003\u0004\u0014', 'latin1');

  it.each([
    ['pdf', Buffer.from('%PDF-1.7'), none],
    ['pdf', Buffer.concat([Buffer.alloc(500), Buffer.from('%PDF-1.7')]), none],
    ['picture', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), none],
    ['picture', Buffer.from('\xff\xd8\xff', 'latin1'), none],
    ['office', zip, Buffer.from('…ppt/presentation.xml…')],
    ['office', Buffer.concat([zip, Buffer.from('mimetypeapplication/vnd.oasis.opendocument.presentationPK')]), none],
    [undefined, zip, Buffer.from('word/document.xml')],
    [undefined, Buffer.from('GIF89a'), none],
    [undefined, Buffer.from('<html>'), none],
    [undefined, none, none],
  ])('%s', (kind, head, tail) => {
    expect(kindBy(head, tail)).toBe(kind);
  });
});
