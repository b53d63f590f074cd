import { crc32, deflateSync } from 'node:zlib';
import { LOGO_LIMIT, LOGO_SAMPLE, type AppError } from '@classroom/contracts';
import { checkedLogo } from './picture-proxy.js';

const PNG = Buffer.from(LOGO_SAMPLE, 'base64');
const [SIGNATURE, END] = [PNG.subarray(0, 8), PNG.subarray(-12)];
const JPEG = Buffer.from(
  '/9j/4AAQSkZJRgABAgAAAQABAAD/2wBDAAgEBAQEBAUFBQUFBQYGBgYGBgYGBgYGBgYHBwcICAgHBwcGBgcHCAgICAkJCQgICAgJCQoKCgwMCwsODg4RERT/xABMAAEBAAAAAAAAAAAA' +
    'AAAAAAAABgEBAQAAAAAAAAAAAAAAAAAABgcQAQAAAAAAAAAAAAAAAAAAAAARAQAAAAAAAAAAAAAAAAAAAAD/wAARCAACAAIDASIAAhEAAxEA/9oADAMBAAIRAxEAPwCLAFF/f//Z',
  'base64',
);
const WEBP = Buffer.from('UklGRiQAAABXRUJQVlA4IBgAAAAwAQCdASoBAAEAAgA0JaQAA3AA/vuUAAA=', 'base64');

function chunk(name: string, content: Buffer | string): Buffer {
  const [length, body, checksum] = [Buffer.alloc(4), Buffer.concat([Buffer.from(name), Buffer.from(content)]), Buffer.alloc(4)];
  length.writeUInt32BE(body.length - 4);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}
function png(width: number, height: number, ...more: Buffer[]): Buffer {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0]);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  const pixels = deflateSync(Buffer.alloc(Math.min(height * (width + 1), 2 ** 24)));
  return Buffer.concat([SIGNATURE, chunk('IHDR', header), ...more, chunk('IDAT', pixels), END]);
}
const padded = (bytes: number) => Buffer.concat([PNG, Buffer.alloc(bytes - PNG.length)]);

const refusal = (logo: Buffer): AppError => {
  try {
    checkedLogo(logo.toString('base64'));
  } catch (error) {
    return error as AppError;
  }
  throw new Error('it was taken');
};

describe('a logo', () => {
  it.each([
    ['a PNG', PNG, PNG],
    ['a JPEG', JPEG, JPEG],
    ['a WebP', WEBP, WEBP],
    ['what follows the end of a picture of a MiB', padded(LOGO_LIMIT), PNG],
    ['metadata', png(4096, 1, chunk('tEXt', 'Comment\0Lakeside'), chunk('eXIf', 'place')), png(4096, 1)],
  ])('is kept without metadata: %s', (_, given, kept) => {
    expect(checkedLogo(given.toString('base64'))).toEqual(kept);
  });

  const size = (width: number, height: number) => `must be at most 4096 × 4096 pixels, and is ${width} × ${height}`;
  it.each([
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'must be a PNG, JPEG or WebP'],
    ['a text', Buffer.from('a text that is called logo.png'), 'must be a PNG, JPEG or WebP'],
    ['a GIF', Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64'), 'must be a PNG, JPEG or WebP'],
    ['a text behind the signature of a PNG', Buffer.concat([SIGNATURE, Buffer.from('a text')]), 'must not be damaged'],
    ['a PNG that is cut', PNG.subarray(0, -1), 'must not be damaged'],
    ['a JPEG that is cut', JPEG.subarray(0, -5), 'must not be damaged'],
    ['a WebP that is cut', WEBP.subarray(0, -3), 'must not be damaged'],
    ['an animated PNG', png(2, 2, chunk('acTL', Buffer.alloc(8))), 'must not be animated'],
    ['a PNG of 4,097 pixels', png(1, 4097), size(1, 4097)],
    ['a PNG that would take 400 MB of memory', png(20_000, 20_000), size(20_000, 20_000)],
  ])('is refused by the name of its field: %s', (_, logo, message) => {
    expect(refusal(logo)).toMatchObject({ code: 'VALIDATION_FAILED', details: [{ path: 'logo', message }] });
  });

  it('is refused if it is larger than a MiB', () => {
    expect(refusal(padded(LOGO_LIMIT + 1))).toMatchObject({ code: 'PAYLOAD_TOO_LARGE', details: [{ path: 'logo' }] });
  });
});
