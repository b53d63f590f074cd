import { crc32, deflateSync } from 'node:zlib';
import { pictureSizeOf, pictureTypeOf } from './picture-content.js';
import { withoutMetadata } from './without-metadata.js';

it.each([
  ['image/png', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')],
  ['image/jpeg', Buffer.from('ffd8ffe000104a464946', 'hex')],
  ['image/gif', Buffer.from('GIF87a…')],
  ['image/gif', Buffer.from('GIF89a…')],
  ['image/webp', Buffer.from('RIFF\0\0\0\0WEBPVP8 ')],
  [undefined, Buffer.from('RIFF\0\0\0\0WAVEfmt ')],
  [undefined, Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
  [undefined, Buffer.from('<html><img src="GIF89a"></html>')],
  [undefined, Buffer.from('BM6\0\0\0')],
  [undefined, Buffer.from('\x89PNG')],
  [undefined, Buffer.alloc(0)],
])('content is %s by its first bytes', (type, body) => {
  expect(pictureTypeOf(body)).toBe(type);
});

const chunk = (name: string, content: Buffer) => {
  const [length, body, checksum] = [Buffer.alloc(4), Buffer.concat([Buffer.from(name), content]), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
};
/** Its pixels are one line: they are not decoded. */
function png(width: number, height: number, ...more: Buffer[]): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  const chunks = [chunk('IHDR', header), ...more, chunk('IDAT', deflateSync(Buffer.alloc(width + 1))), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...chunks]);
}
/** 2 × 2 pixels. */
const JPEG = Buffer.from(
  '/9j/4AAQSkZJRgABAgAAAQABAAD/2wBDAAgEBAQEBAUFBQUFBQYGBgYGBgYGBgYGBgYHBwcICAgHBwcGBgcHCAgICAkJCQgICAgJCQoKCgwMCwsODg4RERT/xABMAAEBAAAAAAAAAAAA' +
    'AAAAAAAABgEBAQAAAAAAAAAAAAAAAAAABgcQAQAAAAAAAAAAAAAAAAAAAAARAQAAAAAAAAAAAAAAAAAAAAD/wAARCAACAAIDASIAAhEAAxEA/9oADAMBAAIRAxEAPwCLAFF/f//Z',
  'base64',
);
const riff = (...chunks: [name: string, content: Buffer][]) => {
  const parts = chunks.flatMap(([name, content]) => {
    const length = Buffer.alloc(4);
    length.writeUInt32LE(content.length);
    return [Buffer.from(name), length, content, Buffer.alloc(content.length % 2)];
  });
  const [body, length] = [Buffer.concat([Buffer.from('WEBP'), ...parts]), Buffer.alloc(4)];
  length.writeUInt32LE(body.length);
  return Buffer.concat([Buffer.from('RIFF'), length, body]);
};
const VP8X = (flags: number, width: number, height: number) => {
  const content = Buffer.alloc(10, 0);
  content[0] = flags;
  content.writeUIntLE(width - 1, 4, 3);
  content.writeUIntLE(height - 1, 7, 3);
  return ['VP8X', content] as [string, Buffer];
};
/** 1 × 1 pixel. */
const LOSSY = Buffer.from('UklGRiQAAABXRUJQVlA4IBgAAAAwAQCdASoBAAEAAgA0JaQAA3AA/vuUAAA=', 'base64');
const VP8: [string, Buffer] = ['VP8 ', LOSSY.subarray(20)];
/** 300 × 7 pixels: less one, in 14 bits each. */
const VP8L: [string, Buffer] = ['VP8L', Buffer.from([0x2f, 0x2b, 0x81, 0x01, 0x00, 0x00])];

it.each([
  ['PNG', png(4097, 3), [4097, 3, false]],
  ['PNG that states more than it has', png(30_000, 2 ** 31 - 1), [30_000, 2 ** 31 - 1, false]],
  ['animated PNG', png(5, 6, chunk('acTL', Buffer.alloc(8))), [5, 6, true]],
  ['JPEG', JPEG, [2, 2, false]],
  ['lossy WebP', LOSSY, [1, 1, false]],
  ['lossless WebP', riff(VP8L), [300, 7, false]],
  ['WebP with a larger canvas', riff(VP8X(0, 16_384, 2), VP8), [16_384, 2, false]],
  ['WebP with a larger frame', riff(VP8X(0, 1, 2), VP8L), [300, 7, false]],
  [
    'animated WebP',
    riff(VP8X(2, 9, 9), ['ANIM', Buffer.alloc(6)], ['ANMF', Buffer.concat([Buffer.alloc(16), LOSSY.subarray(12)])]),
    [9, 9, true],
  ],
])('a %s has the size that it states', (_, picture, [width, height, isAnimated]) => {
  expect(pictureSizeOf(withoutMetadata(picture) ?? Buffer.alloc(0))).toEqual({ width, height, isAnimated });
});

it.each([
  ['a GIF', Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')],
  ['an SVG', Buffer.from('<svg/>')],
  ['nothing', Buffer.alloc(0)],
  ['a PNG without pixels', Buffer.concat([png(1, 1).subarray(0, 33), chunk('IEND', Buffer.alloc(0))])],
  ['a PNG of no height', png(1, 0)],
  ['a PNG whose header is not the first', Buffer.concat([png(1, 1).subarray(0, 8), chunk('gAMA', Buffer.alloc(4)), png(1, 1).subarray(8)])],
  ['a JPEG that is cut', JPEG.subarray(0, -2)],
  ['a JPEG without pixels', Buffer.from('ffd8ffc00011080002000203012200021100031100ffd9', 'hex')],
  ['a WebP without a frame', riff(VP8X(0, 2, 2))],
])('%s has none', (_, picture) => expect(pictureSizeOf(picture)).toBeUndefined());

it('any bytes are read to their end', () => {
  for (const picture of [png(2, 2), JPEG, LOSSY, riff(VP8X(0, 2, 2), VP8L)]) {
    for (let at = 0; at < picture.length; at++) {
      for (const value of [0, 0x7f, 0xff]) {
        const changed = Buffer.from(picture);
        changed[at] = value;
        expect(() => pictureSizeOf(changed)).not.toThrow();
      }
      expect(() => pictureSizeOf(picture.subarray(0, at))).not.toThrow();
    }
  }
});
