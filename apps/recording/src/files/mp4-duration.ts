/** Reads the bytes `start` to `end` (included) of a file. */
export type ReadRange = (start: number, end: number) => Promise<Buffer>;

const HEADER_BYTES = 16;
const MAX_BOXES = 10_000;

/**
 * The duration in seconds that an MP4 file of `size` bytes itself states (`moov/mvhd`, ISO/IEC 14496-12). Reads a few headers
 * and never the media. Undefined if the file states none: then it was cut off.
 */
export async function mp4Duration(read: ReadRange, size: number): Promise<number | undefined> {
  const moov = await find(read, 'moov', 0, size);
  const mvhd = moov && (await find(read, 'mvhd', moov.start, moov.end));
  if (!mvhd) return undefined;
  const body = await read(mvhd.start, Math.min(mvhd.start + 31, mvhd.end - 1));
  // Version 1 has 64-bit times.
  const [timescaleAt, durationAt, end] = body[0] === 1 ? [20, 24, 32] : [12, 16, 20];
  if (body.length < end) return undefined;
  const timescale = body.readUInt32BE(timescaleAt);
  const duration = body[0] === 1 ? Number(body.readBigUInt64BE(durationAt)) : body.readUInt32BE(durationAt);
  return timescale > 0 && duration > 0 ? duration / timescale : undefined;
}

/** Start and end of the body of the first box of that type between two offsets; undefined if there is none. */
async function find(read: ReadRange, type: string, from: number, to: number): Promise<{ start: number; end: number } | undefined> {
  let at = from;
  for (let boxes = 0; boxes < MAX_BOXES && at + 8 <= to; boxes++) {
    const header = await read(at, Math.min(at + HEADER_BYTES, to) - 1);
    const short = header.readUInt32BE(0);
    // 1: the size follows as 64 bits; 0: up to the end of the file.
    const size = short === 1 && header.length === HEADER_BYTES ? Number(header.readBigUInt64BE(8)) : short === 0 ? to - at : short;
    const headerSize = short === 1 ? 16 : 8;
    if (size < headerSize) return undefined;
    if (header.toString('latin1', 4, 8) === type) return { start: at + headerSize, end: Math.min(at + size, to) };
    at += size;
  }
  return undefined;
}
