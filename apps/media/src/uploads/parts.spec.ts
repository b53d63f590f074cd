import { bytesOf, PART_BYTES, partBytes, completeParts } from './parts.js';

const size = 2 * PART_BYTES + 5;
const part = (PartNumber: number, Size = partBytes(PartNumber, size)) => ({ PartNumber, Size });

describe('the parts of an upload', () => {
  it('have one length, except the last', () => {
    expect([1, 2, 3, 4].map((number) => partBytes(number, size) > 0)).toEqual([true, true, true, false]);
    expect(partBytes(3, size)).toBe(5);
    expect(partBytes(1, 3)).toBe(3);
  });

  it('count up to the first gap', () => {
    expect(bytesOf(completeParts([part(3), part(1), part(2)], size))).toBe(size);
    expect(bytesOf(completeParts([part(3), part(1)], size))).toBe(PART_BYTES);
    expect(completeParts([part(2), part(3)], size)).toEqual([]);
    expect(completeParts([], size)).toEqual([]);
  });

  it('count up to the first truncated one', () => {
    expect(bytesOf(completeParts([part(1), part(2, 7), part(3)], size))).toBe(PART_BYTES);
  });
});
