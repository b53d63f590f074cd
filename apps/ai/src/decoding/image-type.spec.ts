import { imageTypeOf } from './image-type.js';

it.each([
  ['image/png', '\x89PNG\r\n\x1a\n....'],
  ['image/jpeg', '\xff\xd8\xff\xe0....'],
  ['image/webp', 'RIFF\x10\0\0\0WEBPVP8 '],
  ['image/gif', 'GIF89a....'],
  ['image/gif', 'GIF87a....'],
  [undefined, 'RIFF\x10\0\0\0WAVEfmt '],
  [undefined, '<svg xmlns="http://www.w3.org/2000/svg"/>'],
  [undefined, '\x89PN'],
  [undefined, ''],
])('%s', (type, bytes) => {
  expect(imageTypeOf(Buffer.from(bytes, 'latin1'))).toBe(type);
});
