const MIB = 1024 ** 2;
/** S3 takes 10,000 parts, so files up to 78 GiB. */
export const PART_BYTES = 8 * MIB;

/**
 * Part n is always the same bytes of the file, whoever sends them and however often: two that write at once, or a part sent
 * twice after a crash, can't put a wrong file together.
 */
export function partBytes(number: number, size: number): number {
  return Math.min(PART_BYTES, size - (number - 1) * PART_BYTES);
}

export interface Part {
  PartNumber?: number | undefined;
  Size?: number | undefined;
}

/** The parts from the first on that are whole, without a gap: one behind a part whose sending failed does not count yet. */
export function wholeParts<P extends Part>(listed: readonly P[], size: number): P[] {
  const byNumber = new Map(listed.map((part) => [part.PartNumber, part]));
  const whole: P[] = [];
  for (let number = 1; partBytes(number, size) > 0; number += 1) {
    const part = byNumber.get(number);
    if (!part || part.Size !== partBytes(number, size)) break;
    whole.push(part);
  }
  return whole;
}

export const bytesOf = (parts: readonly Part[]) => parts.reduce((bytes, { Size = 0 }) => bytes + Size, 0);
