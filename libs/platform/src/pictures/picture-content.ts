/** The types of pictures that every browser and every model that can see accepts. */
const PICTURE_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'] as const;
export type PictureType = (typeof PICTURE_TYPES)[number];

export const isPictureType = (type: string): type is PictureType => (PICTURE_TYPES as readonly string[]).includes(type);

/** What each type's files begin with. SVG is missing on purpose: it is a document that may contain scripts and load other files. */
const SIGNATURES: readonly (readonly [type: PictureType, ...parts: (readonly [at: number, text: string])[]])[] = [
  ['image/png', [0, '\x89PNG\r\n\x1a\n']],
  ['image/jpeg', [0, '\xff\xd8\xff']],
  ['image/gif', [0, 'GIF87a']],
  ['image/gif', [0, 'GIF89a']],
  ['image/webp', [0, 'RIFF'], [8, 'WEBP']],
];

/** The type of a picture by its content, whatever is said about it. Undefined if it is no PNG, JPEG, GIF or WebP. */
export function pictureTypeOf(body: Buffer): PictureType | undefined {
  return SIGNATURES.find(([, ...parts]) => parts.every(([at, text]) => body.toString('latin1', at, at + text.length) === text))?.[0];
}

export interface PictureSize {
  /** In pixels. */
  width: number;
  height: number;
  isAnimated: boolean;
}

/**
 * The size that a picture states: a decoder reserves memory for it. The pixels are not decoded.
 * @param picture a PNG, JPEG or WebP by `withoutMetadata`
 * @returns undefined if it is of another type, or if its pixels or its end are missing
 */
export function pictureSizeOf(picture: Buffer): PictureSize | undefined {
  const type = pictureTypeOf(picture);
  if (!type || type === 'image/gif') return undefined;
  try {
    const size = READERS[type](picture);
    return size && size.width > 0 && size.height > 0 ? size : undefined;
  } catch (error) {
    if (BEYOND_END.has((error as { code?: unknown }).code)) return undefined;
    throw error;
  }
}

/** Codes of Node's errors where a buffer is read beyond its end. */
const BEYOND_END: ReadonlySet<unknown> = new Set(['ERR_OUT_OF_RANGE', 'ERR_BUFFER_OUT_OF_BOUNDS']);

const READERS = { 'image/png': png, 'image/jpeg': jpeg, 'image/webp': webp };

const IHDR_BYTES = 13;

function png(picture: Buffer): PictureSize | undefined {
  const names: string[] = [];
  for (let at = 8; at < picture.length; at += 12 + picture.readUInt32BE(at)) names.push(picture.toString('latin1', at + 4, at + 8));
  const isWhole = names[0] === 'IHDR' && picture.readUInt32BE(8) === IHDR_BYTES && names.includes('IDAT');
  return isWhole ? { width: picture.readUInt32BE(16), height: picture.readUInt32BE(20), isAnimated: names.includes('acTL') } : undefined;
}

const EOI = 0xffd9;
const SOS = 0xffda;
/** DHT, JPG and DAC are no frames. */
const isFrame = (marker: number) => marker >= 0xffc0 && marker <= 0xffcf && ![0xffc4, 0xffc8, 0xffcc].includes(marker);

function jpeg(picture: Buffer): PictureSize | undefined {
  if (picture.readUInt16BE(picture.length - 2) !== EOI) return undefined;
  let size: PictureSize | undefined;
  for (let at = 2; picture.readUInt16BE(at) !== SOS; at += 2 + picture.readUInt16BE(at + 2))
    if (isFrame(picture.readUInt16BE(at)))
      size ??= { width: picture.readUInt16BE(at + 7), height: picture.readUInt16BE(at + 5), isAnimated: false };
  return size;
}

const ANIMATED = 2;
const OF_FRAME = 0x3fff;

/** The canvas and the frame state a size each: the larger one counts. */
function webp(picture: Buffer): PictureSize | undefined {
  const size: PictureSize = { width: 0, height: 0, isAnimated: false };
  let hasPixels = false;
  const add = (width: number, height: number) => {
    size.width = Math.max(size.width, width);
    size.height = Math.max(size.height, height);
  };
  for (let at = 12; at < picture.length;) {
    const [name, length] = [picture.toString('latin1', at, at + 4), picture.readUInt32LE(at + 4)];
    if (name === 'VP8X') {
      size.isAnimated ||= (picture.readUInt8(at + 8) & ANIMATED) !== 0;
      add(picture.readUIntLE(at + 12, 3) + 1, picture.readUIntLE(at + 15, 3) + 1);
    } else if (name === 'VP8 ') add(picture.readUInt16LE(at + 14) & OF_FRAME, picture.readUInt16LE(at + 16) & OF_FRAME);
    else if (name === 'VP8L') add((picture.readUInt32LE(at + 9) & OF_FRAME) + 1, ((picture.readUInt32LE(at + 9) >>> 14) & OF_FRAME) + 1);
    size.isAnimated ||= name === 'ANIM' || name === 'ANMF';
    hasPixels ||= name === 'VP8 ' || name === 'VP8L' || name === 'ANMF';
    at += 8 + length + (length % 2);
  }
  return hasPixels ? size : undefined;
}
