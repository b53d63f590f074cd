import fc from 'fast-check';
import { byteRange } from './delivery.routes.js';

describe('a byte range of ten bytes', () => {
  it.each([
    ['bytes=0-4', 0, 4],
    ['bytes=9-9', 9, 9],
    ['bytes=3-', 3, 9],
    ['bytes=3-100', 3, 9],
    ['bytes=-4', 6, 9],
    ['bytes=-100', 0, 9],
    ['bytes=0-99999999999999999999', 0, 9],
    [`bytes=3-${'9'.repeat(400)}`, 3, 9],
    ['bytes= 1 - 2', 1, 2],
  ])('is a part for %s', (header, start, end) => expect(byteRange(header, 10)).toEqual({ kind: 'part', start, end }));

  it.each(['bytes=10-', 'bytes=10-20', 'bytes=-0', `bytes=${'9'.repeat(30)}-`])('is unsatisfiable for %s', (header) =>
    expect(byteRange(header, 10).kind).toBe('unsatisfiable'),
  );

  it.each([undefined, '', 'bytes=-', 'bytes=4-2', 'bytes=0-1,3-4', 'items=0-1', 'bytes=a-b', 'bytes=1.5-2'])(
    'is the whole for %s',
    (header) => expect(byteRange(header, 10).kind).toBe('whole'),
  );

  it('never exceeds the file', () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(), fc.nat({ max: 1000 }), (first, last, size) => {
        const range = byteRange(`bytes=${first}-${last}`, size);
        return range.kind !== 'part' || (range.start <= range.end && range.end < size);
      }),
    );
  });
});
