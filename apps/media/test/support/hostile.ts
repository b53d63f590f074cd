import { deflateSync, gzipSync } from 'node:zlib';

const type = (bytes: Buffer, at: number) => bytes.toString('latin1', at + 4, at + 8);

/** A box of an MP4. */
export function box(name: string, ...content: (Buffer | string)[]): Buffer {
  const body = Buffer.concat(content.map((it) => (typeof it === 'string' ? Buffer.from(it, 'latin1') : it)));
  const head = Buffer.alloc(8);
  head.writeUInt32BE(body.length + 8);
  head.write(name, 4, 'latin1');
  return Buffer.concat([head, body]);
}

function boxesOf(bytes: Buffer): Buffer[] {
  const found: Buffer[] = [];
  for (let at = 0; at + 8 <= bytes.length; at += Math.max(8, bytes.readUInt32BE(at)))
    found.push(bytes.subarray(at, at + bytes.readUInt32BE(at)));
  return found;
}

/** The file with one box, given by its path, replaced. Only for files whose index comes last, so that no offset before it changes. */
export function rewritten(file: Buffer, [name, ...rest]: string[], change: (it: Buffer) => Buffer): Buffer {
  return Buffer.concat(
    boxesOf(file).map((it) => {
      if (type(it, 0) !== name) return it;
      return rest.length === 0 ? change(it) : box(name, rewritten(it.subarray(8), rest, change));
    }),
  );
}

/** Claims that the samples are in another file, by QuickTime's alias and by an address. */
export function external(file: Buffer, path: string): Buffer {
  const text = (length: number, value: string) =>
    Buffer.concat([Buffer.from([value.length]), Buffer.from(value.padEnd(length, '\0'), 'latin1')]);
  const tagged = Buffer.alloc(4);
  tagged.writeUInt16BE(2);
  tagged.writeUInt16BE(path.length, 2);
  const name = path.slice(path.lastIndexOf('/') + 1);
  const levels = Buffer.from([0, 1, 0, 1]);
  const padded = path.length % 2 ? `${path}\0` : path;
  const alias = box(
    'alis',
    Buffer.alloc(4),
    Buffer.alloc(10),
    text(27, 'disk'),
    Buffer.alloc(12),
    text(63, name),
    Buffer.alloc(16),
    levels,
    Buffer.alloc(16),
    tagged,
    padded,
    '\xff\xff\0\0',
  );
  const address = box('url ', Buffer.alloc(4), `file://${path}\0`);
  const references = box('dref', Buffer.alloc(4), Buffer.from([0, 0, 0, 2]), alias, address);
  return rewritten(file, ['moov', 'trak', 'mdia', 'minf', 'dinf', 'dref'], () => references);
}

export const manyTracks = (file: Buffer, count: number) =>
  rewritten(file, ['moov', 'trak'], (track) => Buffer.concat(Array.from({ length: count }, () => track)));

const ZEROS = 300 * 1024 ** 2;

/** An index that unpacks to 300 MiB. */
export function compressedIndex(): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt32BE(ZEROS);
  const index = box('cmov', box('dcom', 'zlib'), box('cmvd', size, deflateSync(Buffer.alloc(ZEROS), { level: 1 })));
  return Buffer.concat([box('ftyp', 'qt  ', Buffer.alloc(4), 'qt  '), box('mdat', Buffer.alloc(64)), box('moov', index)]);
}

export const gzipBomb = () => gzipSync(Buffer.alloc(ZEROS), { level: 1 });

/** Overwrites what a decoder of Vorbis needs to open: it can decode nothing of the stream. */
export function withoutVorbisSetup(file: Buffer): Buffer {
  const copy = Buffer.from(file);
  const at = copy.indexOf('\u0001vorbis', 0, 'latin1');
  if (at < 0) throw new Error('the file has no sound in Vorbis');
  return copy.fill(0, at, at + 30);
}

/** Overwrites the duration in a Matroska file, an element with a float of eight bytes. */
export function claimedDuration(file: Buffer, value: number): Buffer {
  const copy = Buffer.from(file);
  const at = copy.indexOf(Buffer.from([0x44, 0x89, 0x88]));
  if (at < 0) throw new Error('the file tells no length');
  copy.writeDoubleBE(value, at + 3);
  return copy;
}

/** Overwrites the width in a Matroska file, an element of two bytes. */
export function claimedWidth(file: Buffer, from: number, to: number): Buffer {
  const copy = Buffer.from(file);
  const at = copy.indexOf(Buffer.from([0xb0, 0x82, from >> 8, from & 0xff]));
  if (at < 0) throw new Error('the file tells no width');
  copy.writeUInt16BE(to, at + 2);
  return copy;
}
