import { pictureTypeOf } from './picture-type.js';

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
