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

type Send = (number: number, bytes: Buffer) => Promise<void>;

/** Cuts bytes into parts. Two parts are being sent while the next is filled, so an upload holds at most three parts. */
export class MultipartBuffer {
  private part: Buffer | undefined;
  private filled = 0;
  private older: Promise<void> = Promise.resolve();
  private newer: Promise<void> = Promise.resolve();

  /** @param number of the part to which the first byte belongs @param size of the whole file, in bytes */
  constructor(
    public number: number,
    private readonly size: number,
    private readonly send: Send,
  ) {}

  /** Position in the file after the last byte that was added. */
  get offset(): number {
    return Math.min(this.size, (this.number - 1) * partBytes(1, this.size)) + this.filled;
  }

  /** Bytes that do not fill a part yet. */
  get rest(): Buffer {
    return this.part?.subarray(0, this.filled) ?? Buffer.alloc(0);
  }

  /** @throws RangeError if there are more bytes than the file has, or the error of an earlier part that could not be sent */
  async add(bytes: Buffer): Promise<void> {
    let left = bytes;
    while (left.length > 0) {
      const length = partBytes(this.number, this.size);
      if (length <= 0) throw new RangeError('more bytes than the file has');
      this.part ??= Buffer.allocUnsafeSlow(length);
      const taken = left.copy(this.part, this.filled);
      this.filled += taken;
      left = left.subarray(taken);
      if (this.filled === length) await this.flush(this.part);
    }
  }

  /** Resolves when all filled parts are stored. @throws the error of a part that could not be sent */
  async settled(): Promise<void> {
    const [older, newer] = await Promise.allSettled([this.older, this.newer]);
    for (const end of [older, newer]) if (end.status === 'rejected') throw end.reason;
  }

  private async flush(part: Buffer): Promise<void> {
    const { number } = this;
    this.number += 1;
    this.part = undefined;
    this.filled = 0;
    await this.older;
    this.older = this.newer;
    this.newer = this.send(number, part);
    // The next await of this promise reports its failure.
    this.newer.catch(() => undefined);
  }
}
