import { AppError, boardDrawing, type BoardDrawing } from '@classroom/contracts';

/** Bytes of one page of a board as a line of JSON. */
const MAX_LINE = 32 * 1024 ** 2;

/**
 * The pages of a board from lines of JSON, as they arrive. A page is taken before the next one is read.
 * @throws AppError BOARD_TOO_LARGE
 */
export async function* drawingsIn(frames: AsyncIterable<Uint8Array>, maxLine = MAX_LINE): AsyncGenerator<BoardDrawing> {
  let parts: Uint8Array[] = [];
  let size = 0;
  for await (const frame of frames) {
    let from = 0;
    for (let end = frame.indexOf(10); end >= 0; end = frame.indexOf(10, from)) {
      parts.push(frame.subarray(from, end));
      yield boardDrawing.parse(JSON.parse(Buffer.concat(parts).toString('utf8')));
      [parts, size, from] = [[], 0, end + 1];
    }
    const rest = frame.subarray(from);
    size += rest.length;
    if (size > maxLine) throw new AppError('BOARD_TOO_LARGE');
    parts.push(rest);
  }
}
