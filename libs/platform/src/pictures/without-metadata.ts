import { crc32 } from 'node:zlib';
import { pictureTypeOf } from './picture-content.js';

/** Thrown where a file is not what its type prescribes. */
class Malformed extends Error {}

/** Reads a file from its start. @throws Malformed beyond its end */
class Cursor {
  at = 0;

  constructor(private readonly bytes: Buffer) {}

  take(length: number): Buffer {
    if (this.at + length > this.bytes.length) throw new Malformed();
    return this.bytes.subarray(this.at, (this.at += length));
  }

  get rest(): number {
    return this.bytes.length - this.at;
  }

  /** The bytes from here to the first JPEG marker that is not part of the compressed data, or to the end. */
  takeScan(): Buffer {
    let end = this.at;
    for (; end < this.bytes.length; end++) {
      const next = this.bytes[end + 1] ?? 0;
      if (this.bytes[end] === 0xff && next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) break;
    }
    return this.take(end - this.at);
  }
}

/**
 * The picture without what describes it: place, time, camera, author, comments, thumbnails, and whatever follows its end. The pixels are
 * not decoded. Only parts that are needed to show the picture are copied, among them colour profile, animation and orientation.
 * @returns undefined if it is no PNG, JPEG, GIF or WebP, or a damaged one
 */
export function withoutMetadata(picture: Buffer): Buffer | undefined {
  const type = pictureTypeOf(picture);
  if (!type) return undefined;
  try {
    return Buffer.concat(CLEANERS[type](new Cursor(picture)));
  } catch (error) {
    if (error instanceof Malformed) return undefined;
    throw error;
  }
}

const CLEANERS = { 'image/jpeg': jpeg, 'image/png': png, 'image/gif': gif, 'image/webp': webp };

// Orientation: the one tag of EXIF that a browser applies.

const ORIENTATION = 0x0112;

/** @param tiff EXIF's content. @returns 2 to 8, or undefined if the picture is upright or its EXIF is damaged */
function orientationOf(tiff: Buffer): number | undefined {
  const order = tiff.toString('latin1', 0, 2);
  if (tiff.length < 14 || (order !== 'II' && order !== 'MM')) return undefined;
  const isLittle = order === 'II';
  const short = (at: number) => (at + 2 > tiff.length ? 0 : isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const directory = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  for (let n = 0, entry = directory + 2; n < short(directory); n++, entry += 12) {
    if (short(entry) !== ORIENTATION) continue;
    const value = short(entry + 8);
    return value >= 2 && value <= 8 ? value : undefined;
  }
  return undefined;
}

/** EXIF that says nothing else. */
function tiffWith(orientation: number): Buffer {
  const tiff = Buffer.from('MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\0\0\0\0\0\0\0', 'latin1');
  tiff.writeUInt16BE(orientation, 18);
  return tiff;
}

const EXIF = 'Exif\0\0';

const withoutPrefix = (exif: Buffer) => (exif.toString('latin1', 0, EXIF.length) === EXIF ? exif.subarray(EXIF.length) : exif);

// JPEG: segments, each a marker with a length, and the compressed data after SOS.

const SOI = 0xd8;
const EOI = 0xd9;
const SOS = 0xda;
const COM = 0xfe;
const APP0 = 0xe0;
const isApplication = (marker: number) => marker >= APP0 && marker <= 0xef;
/** JFIF without a thumbnail, ICC profiles, and Adobe's kind of colours. */
const JPEG_KEPT: Readonly<Record<number, string>> = { 0xe0: 'JFIF\0', 0xe2: 'ICC_PROFILE\0', 0xee: 'Adobe' };
const JFIF_BYTES = 14;

function jpeg(file: Cursor): Buffer[] {
  const kept: Buffer[] = [file.take(2)];
  let orientation: number | undefined;
  while (file.rest > 0) {
    const marker = nextMarker(file);
    if (marker === EOI) {
      kept.push(Buffer.from([0xff, EOI]));
      break;
    }
    if (marker < 0xc0 || (marker >= 0xd0 && marker <= SOI)) throw new Malformed();
    const length = file.take(2).readUInt16BE();
    if (length < 2) throw new Malformed();
    const content = file.take(length - 2);
    if (marker === 0xe1 && content.toString('latin1', 0, EXIF.length) === EXIF) orientation ??= orientationOf(withoutPrefix(content));
    const isKept = isApplication(marker) ? startsWith(content, JPEG_KEPT[marker]) : marker !== COM;
    if (isKept) kept.push(segment(marker, marker === APP0 ? withoutThumbnail(content) : content));
    if (marker === SOS) kept.push(file.takeScan());
  }
  if (orientation !== undefined) {
    const exif = segment(0xe1, Buffer.concat([Buffer.from(EXIF, 'latin1'), tiffWith(orientation)]));
    // JFIF comes first if there is one.
    kept.splice(kept[1]?.[1] === APP0 ? 2 : 1, 0, exif);
  }
  return kept;
}

/** A marker may be preceded by any number of fill bytes. */
function nextMarker(file: Cursor): number {
  if (file.take(1)[0] !== 0xff) throw new Malformed();
  for (;;) {
    const [byte = 0] = file.take(1);
    if (byte !== 0xff) return byte;
  }
}

const startsWith = (content: Buffer, text: string | undefined) => text !== undefined && content.toString('latin1', 0, text.length) === text;

function segment(marker: number, content: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([head, content]);
}

function withoutThumbnail(jfif: Buffer): Buffer {
  if (jfif.length < JFIF_BYTES) throw new Malformed();
  const head = Buffer.from(jfif.subarray(0, JFIF_BYTES));
  head.writeUInt16BE(0, JFIF_BYTES - 2);
  return head;
}

// PNG: chunks with a length, a name and a checksum.

const PNG_KEPT = new Set('IHDR PLTE IDAT IEND tRNS cHRM gAMA iCCP sBIT sRGB cICP mDCV cLLI bKGD hIST pHYs sPLT acTL fcTL fdAT'.split(' '));

function png(file: Cursor): Buffer[] {
  const kept: Buffer[] = [file.take(8)];
  for (;;) {
    const head = file.take(8);
    const name = head.toString('latin1', 4);
    const content = file.take(head.readUInt32BE());
    const checksum = file.take(4);
    if (PNG_KEPT.has(name)) kept.push(head, content, checksum);
    const orientation = name === 'eXIf' ? orientationOf(content) : undefined;
    if (orientation !== undefined) kept.push(pngChunk(name, tiffWith(orientation)));
    if (name === 'IEND') return kept;
  }
}

function pngChunk(name: string, content: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  const body = Buffer.concat([Buffer.from(name, 'latin1'), content]);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}

// GIF: a header, then blocks whose content is a list of parts of at most 255 bytes.

const GIF_IMAGE = 0x2c;
const GIF_EXTENSION = 0x21;
const GIF_END = 0x3b;
const GIF_CONTROL = 0xf9;
const GIF_APPLICATION = 0xff;
/** They repeat an animation. */
const GIF_APPLICATIONS = ['NETSCAPE2.0', 'ANIMEXTS1.0'];

function gif(file: Cursor): Buffer[] {
  const header = file.take(13);
  const kept: Buffer[] = [header, file.take(colorTableBytes(header[10] ?? 0))];
  for (;;) {
    const [kind = 0] = file.take(1);
    if (kind === GIF_END) return [...kept, Buffer.from([GIF_END])];
    if (kind === GIF_IMAGE) {
      const descriptor = file.take(9);
      kept.push(
        Buffer.from([kind]),
        descriptor,
        file.take(colorTableBytes(descriptor[8] ?? 0)),
        file.take(1),
        Buffer.concat(gifParts(file)),
      );
    } else if (kind === GIF_EXTENSION) {
      const label = file.take(1);
      const parts = gifParts(file);
      const application = parts[0]?.toString('latin1', 1) ?? '';
      const isKept = label[0] === GIF_CONTROL || (label[0] === GIF_APPLICATION && GIF_APPLICATIONS.includes(application));
      if (isKept) kept.push(Buffer.from([kind]), label, Buffer.concat(parts));
    } else throw new Malformed();
  }
}

const colorTableBytes = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);

/** Each with its length, and the empty one at the end. */
function gifParts(file: Cursor): Buffer[] {
  const parts: Buffer[] = [];
  for (;;) {
    const length = file.take(1);
    parts.push(Buffer.concat([length, file.take(length[0] ?? 0)]));
    if (length[0] === 0) return parts;
  }
}

// WebP: chunks of RIFF. The first one says which others there are.

const WEBP_KEPT = new Set(['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ANIM', 'ANMF', 'ICCP']);
const FRAME_HEADER_BYTES = 16;
const HAS_EXIF = 0x08;
const HAS_XMP = 0x04;

function webp(file: Cursor): Buffer[] {
  const head = file.take(12);
  const size = head.readUInt32LE(4);
  if (size < 4) throw new Malformed();
  let orientation: number | undefined;
  let flags: Buffer | undefined;
  const kept: Buffer[] = [];
  for (const { name, content } of riffChunks(new Cursor(file.take(Math.min(size - 4, file.rest))))) {
    if (name === 'EXIF') orientation ??= orientationOf(withoutPrefix(content));
    if (!WEBP_KEPT.has(name)) continue;
    const copy = Buffer.from(name === 'ANMF' ? frameOf(content) : content);
    if (name === 'VP8X') {
      if (copy.length === 0) throw new Malformed();
      copy[0] = (copy[0] ?? 0) & ~(HAS_EXIF | HAS_XMP);
      flags ??= copy;
    }
    kept.push(riffChunk(name, copy));
  }
  if (flags && orientation !== undefined) {
    flags[0] = (flags[0] ?? 0) | HAS_EXIF;
    kept.push(riffChunk('EXIF', tiffWith(orientation)));
  }
  const length = Buffer.alloc(4);
  length.writeUInt32LE(4 + kept.reduce((sum, part) => sum + part.length, 0));
  return [Buffer.from('RIFF'), length, Buffer.from('WEBP'), ...kept];
}

/** A frame of an animation, which has chunks of its own. */
function frameOf(content: Buffer): Buffer {
  const frame = new Cursor(content);
  const header = frame.take(FRAME_HEADER_BYTES);
  const chunks = [...riffChunks(frame)].filter(({ name }) => WEBP_KEPT.has(name));
  return Buffer.concat([header, ...chunks.map((chunk) => riffChunk(chunk.name, chunk.content))]);
}

function* riffChunks(file: Cursor): Generator<{ name: string; content: Buffer }> {
  while (file.rest > 0) {
    const head = file.take(8);
    const content = file.take(head.readUInt32LE(4));
    // Chunks begin at even offsets. The last one is often not filled up.
    if (content.length % 2 === 1 && file.rest > 0) file.take(1);
    yield { name: head.toString('latin1', 0, 4), content };
  }
}

function riffChunk(name: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(name, 'latin1');
  head.writeUInt32LE(content.length, 4);
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)]);
}
