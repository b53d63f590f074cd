import { kindBy, readPages } from './inspect-document.js';
import { REJECTIONS } from './rejected-document.js';

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
