import { bytesOf, completeParts, MultipartBuffer, PART_BYTES, partBytes } from './multipart-buffer.js';

const size = 2 * PART_BYTES + 10;
const file = Buffer.alloc(size, 'abcdefg');

function multipart(from = 1, send = async (_: number, __: Buffer) => {}) {
  const sent: [number, Buffer][] = [];
  const parts = new MultipartBuffer(from, size, async (number, bytes) => {
    await send(number, bytes);
    sent.push([number, bytes]);
  });
  return { parts, sent };
}

describe('filling parts', () => {
  it.each([1_000_003, PART_BYTES, size])('works with pieces of %i bytes', async (piece) => {
    const { parts, sent } = multipart();
    for (let at = 0; at < size; at += piece) await parts.add(file.subarray(at, at + piece));
    await parts.settled();
    expect(sent.map(([number, bytes]) => [number, bytes.length])).toEqual([
      [1, PART_BYTES],
      [2, PART_BYTES],
      [3, 10],
    ]);
    expect(Buffer.concat(sent.map(([, bytes]) => bytes)).equals(file)).toBe(true);
    expect([parts.offset, parts.rest.length]).toEqual([size, 0]);
  });

  it('keeps bytes that do not fill a part', async () => {
    const { parts, sent } = multipart(2);
    await parts.add(file.subarray(PART_BYTES, PART_BYTES + 5));
    expect([parts.offset, parts.number, parts.rest.length, sent.length]).toEqual([PART_BYTES + 5, 2, 5, 0]);
  });

  it('throws if a part could not be sent', async () => {
    const { parts } = multipart(1, async () => {
      throw new Error('the storage is unreachable');
    });
    await parts.add(file.subarray(0, PART_BYTES));
    await expect(parts.settled()).rejects.toThrow('the storage is unreachable');
  });

  it('refuses bytes beyond the file’s length', async () => {
    const { parts } = multipart();
    await parts.add(file);
    await expect(parts.add(Buffer.from('x'))).rejects.toThrow(RangeError);
  });
});

const length = 2 * PART_BYTES + 5;
const part = (PartNumber: number, Size = partBytes(PartNumber, length)) => ({ PartNumber, Size });

describe('the parts of an upload', () => {
  it('have one length, except the last', () => {
    expect([1, 2, 3, 4].map((number) => partBytes(number, length) > 0)).toEqual([true, true, true, false]);
    expect(partBytes(3, length)).toBe(5);
    expect(partBytes(1, 3)).toBe(3);
  });

  it('count up to the first gap', () => {
    expect(bytesOf(completeParts([part(3), part(1), part(2)], length))).toBe(length);
    expect(bytesOf(completeParts([part(3), part(1)], length))).toBe(PART_BYTES);
    expect(completeParts([part(2), part(3)], length)).toEqual([]);
    expect(completeParts([], length)).toEqual([]);
  });

  it('count up to the first truncated one', () => {
    expect(bytesOf(completeParts([part(1), part(2, 7), part(3)], length))).toBe(PART_BYTES);
  });
});
