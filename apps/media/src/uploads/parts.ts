const MIB = 1024 ** 2;
/** S3 accepts 10,000 parts, so files up to 78 GiB. */
export const PART_BYTES = 8 * MIB;

/**
 * Length in bytes of a part; not positive beyond the last one. Part n always has the same bytes of the file, from every sender: two
 * concurrent senders, or a part sent twice after a crash, cannot assemble a wrong file.
 */
export function partBytes(number: number, size: number): number {
  return Math.min(PART_BYTES, size - (number - 1) * PART_BYTES);
}

export interface Part {
  PartNumber?: number | undefined;
  Size?: number | undefined;
}

/** The complete parts from the first one to the first gap: a part behind one that could not be sent does not count yet. */
export function completeParts<P extends Part>(listed: readonly P[], size: number): P[] {
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
