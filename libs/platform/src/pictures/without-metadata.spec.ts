import { crc32 } from 'node:zlib';
import { withoutMetadata } from './without-metadata.js';

const SECRET = 'GPS 52.5 13.4';
const latin = (text: string) => Buffer.from(text, 'latin1');
const u16 = (value: number) => latin(String.fromCharCode(value >> 8, value & 255));
const u32 = (value: number) => Buffer.concat([u16(value >>> 16), u16(value & 0xffff)]);
const reversed = (bytes: Buffer) => Buffer.from(bytes.toReversed());
const le32 = (value: number) => reversed(u32(value));
const join = (...parts: (Buffer | string)[]) => Buffer.concat(parts.map((part) => (typeof part === 'string' ? latin(part) : part)));

/** EXIF with a make, the orientation, and a place. */
function tiff(orientation: number, isLittle = false): Buffer {
  const [a, b] = isLittle ? [(v: number) => reversed(u16(v)), le32] : [u16, u32];
  const entry = (tag: number, type: number, count: number, value: Buffer) => join(a(tag), a(type), b(count), value);
  const entries = [entry(0x010f, 2, SECRET.length, b(38)), entry(0x0112, 3, 1, join(a(orientation), '\0\0'))];
  return join(isLittle ? 'II*\0' : 'MM\0*', b(8), a(2), ...entries.map((it) => Buffer.from(it)), b(0), SECRET);
}

const segment = (marker: number, content: Buffer | string) => join('\xff', Buffer.from([marker]), u16(content.length + 2), content);
const JFIF = segment(0xe0, 'JFIF\0\x01\x01\0\0\x01\0\x01\0\0');
const ICC = segment(0xe2, 'ICC_PROFILE\0\x01\x01profile');
const TABLES = segment(0xdb, 'tables');
const SCAN = join(segment(0xda, 'scan'), 'data\xff\0data\xff\xd0data');
const EOI = '\xff\xd9';
const jpeg = (...segments: (Buffer | string)[]) => join('\xff\xd8', ...segments);

const chunk = (name: string, content: Buffer | string = '') => {
  const body = join(name, content);
  return join(u32(content.length), body, u32(crc32(body)));
};
const png = (...chunks: Buffer[]) => join('\x89PNG\r\n\x1a\n', ...chunks);
const [IHDR, IDAT, IEND] = [chunk('IHDR', 'header'), chunk('IDAT', 'pixels'), chunk('IEND')];

const riff = (name: string, content: Buffer | string) => join(name, le32(content.length), content, content.length % 2 ? '\0' : '');
const webp = (...chunks: Buffer[]) => join('RIFF', le32(4 + join(...chunks).length), 'WEBP', ...chunks);
const extended = (flags: number) => riff('VP8X', join(Buffer.from([flags]), '\0\0\0\0\0\0\0\0\0'));
const VP8 = riff('VP8 ', 'pixels.');

const GIF_HEAD = 'GIF89a\x01\0\x01\0\x80\0\0aaabbb';
const GIF_IMAGE = ',\0\0\0\0\x01\0\x01\0\x80aaabbb\x02\x02xx\0';
const GIF_LOOP = '!\xff\x0bNETSCAPE2.0\x03\x01\0\0\0';
const GIF_CONTROL = '!\xf9\x04\0\0\0\0\0';

it.each([
  [
    'JPEG',
    jpeg(
      JFIF,
      segment(0xe1, `http://ns.adobe.com/xap/1.0/\0${SECRET}`),
      segment(0xed, SECRET),
      segment(0xfe, SECRET),
      ICC,
      TABLES,
      SCAN,
      TABLES,
      SCAN,
      EOI,
      SECRET,
    ),
    jpeg(JFIF, ICC, TABLES, SCAN, TABLES, SCAN, EOI),
  ],
  ['JPEG with a thumbnail', jpeg(segment(0xe0, `JFIF\0\x01\x01\0\0\x01\0\x01\x02\x02${SECRET}`), TABLES, SCAN), jpeg(JFIF, TABLES, SCAN)],
  ['upright JPEG', jpeg(segment(0xe1, join('Exif\0\0', tiff(1))), TABLES, SCAN, EOI), jpeg(TABLES, SCAN, EOI)],
  [
    'PNG',
    png(
      IHDR,
      chunk('tEXt', SECRET),
      chunk('iTXt', SECRET),
      chunk('zTXt', SECRET),
      chunk('tIME', SECRET),
      chunk('prIv', SECRET),
      chunk('gAMA', 'gamma'),
      IDAT,
      IEND,
      latin(SECRET),
    ),
    png(IHDR, chunk('gAMA', 'gamma'), IDAT, IEND),
  ],
  ['upright PNG', png(IHDR, chunk('eXIf', tiff(1)), IDAT, IEND), png(IHDR, IDAT, IEND)],
  [
    'GIF',
    join(
      GIF_HEAD,
      GIF_LOOP,
      `!\xfe\x0d${SECRET}\0`,
      `!\xff\x0bXMP DataXMP\x0d${SECRET}\0`,
      `!\x01\x0d${SECRET}\0`,
      GIF_CONTROL,
      GIF_IMAGE,
      ';',
      SECRET,
    ),
    join(GIF_HEAD, GIF_LOOP, GIF_CONTROL, GIF_IMAGE, ';'),
  ],
  ['plain WebP', join(webp(VP8), SECRET), webp(VP8)],
  [
    'WebP',
    webp(extended(0x2c), riff('ICCP', 'p'), VP8, riff('EXIF', tiff(1)), riff('XMP ', SECRET), riff('????', SECRET)),
    webp(extended(0x20), riff('ICCP', 'p'), VP8),
  ],
  [
    'animated WebP',
    webp(extended(2), riff('ANIM', 'a'), riff('ANMF', join('sixteen bytes...', VP8, riff('????', SECRET)))),
    webp(extended(2), riff('ANIM', 'a'), riff('ANMF', join('sixteen bytes...', VP8))),
  ],
])('a %s keeps what it is shown with, and nothing else', (_, picture, kept) => {
  expect(withoutMetadata(picture)).toEqual(kept);
  expect(withoutMetadata(kept)).toEqual(kept);
});

it.each([2, 3, 6, 8])('a turned picture stays turned (%i)', (orientation) => {
  for (const isLittle of [true, false]) {
    const exif = tiff(orientation, isLittle);
    const pictures = [
      jpeg(JFIF, segment(0xe1, join('Exif\0\0', exif)), TABLES, SCAN, EOI),
      png(IHDR, chunk('eXIf', exif), IDAT, IEND),
      webp(extended(0x08), VP8, riff('EXIF', exif)),
      webp(extended(0x08), VP8, riff('EXIF', join('Exif\0\0', exif))),
    ];
    for (const picture of pictures) {
      const kept = withoutMetadata(picture) ?? Buffer.alloc(0);
      expect(kept.includes(SECRET)).toBe(false);
      expect(kept.includes(join('\x01\x12\0\x03\0\0\0\x01', u16(orientation)))).toBe(true);
      expect(withoutMetadata(kept)).toEqual(kept);
    }
  }
});

it.each([
  ['no picture', latin('<svg/>')],
  ['a JPEG with bytes between its segments', jpeg(JFIF, 'x', TABLES)],
  ['a JPEG with a segment that is cut', jpeg(JFIF, '\xff\xdb\xff\xff')],
  ['a PNG without its end', png(IHDR, IDAT)],
  ['a PNG whose chunk is longer than the file', png(IHDR, latin('\xff\xff\xff\xffIDATx'))],
  ['a GIF with an unknown block', join(GIF_HEAD, 'x')],
  ['a GIF without its end', join(GIF_HEAD, GIF_IMAGE)],
  ['a WebP whose chunk is longer than the file', webp(join('VP8 ', le32(99), 'x'))],
])('%s is none that is passed on', (_, picture) => expect(withoutMetadata(picture)).toBeUndefined());

it('any bytes are read to their end', () => {
  const all = [jpeg(JFIF, TABLES, SCAN, EOI), png(IHDR, IDAT, IEND), join(GIF_HEAD, GIF_IMAGE, ';'), webp(extended(0), VP8)];
  for (const picture of all) {
    for (let at = 0; at < picture.length; at++) {
      for (const value of [0, 0x7f, 0xff]) {
        const changed = Buffer.from(picture);
        changed[at] = value;
        expect(() => withoutMetadata(changed)).not.toThrow();
      }
      expect(() => withoutMetadata(picture.subarray(0, at))).not.toThrow();
    }
  }
});
