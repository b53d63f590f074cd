import { partBytes } from './parts.js';

type Send = (number: number, bytes: Buffer) => Promise<void>;

/** Cuts bytes into parts; two are on their way while the next is filled, so an upload holds three parts at most. */
export class PartFiller {
  private part: Buffer | undefined;
  private filled = 0;
  private older: Promise<void> = Promise.resolve();
  private newer: Promise<void> = Promise.resolve();

  /** @param number of the part that the first byte belongs to; `size` of the whole file */
  constructor(
    public number: number,
    private readonly size: number,
    private readonly send: Send,
  ) {}

  /** Bytes of the file up to where it came. */
  get offset(): number {
    return Math.min(this.size, (this.number - 1) * partBytes(1, this.size)) + this.filled;
  }

  /** What makes no part yet. */
  get rest(): Buffer {
    return this.part?.subarray(0, this.filled) ?? Buffer.alloc(0);
  }

  /** @throws where an earlier part could not be sent */
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

  /** Resolves when everything that made a part is stored. */
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
    // Its failure is told by whoever waits for it next.
    this.newer.catch(() => undefined);
  }
}
