import { partBytes } from './parts.js';

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
