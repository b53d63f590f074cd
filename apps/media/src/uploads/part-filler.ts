import { partBytes } from './parts.js';

type Send = (number: number, bytes: Buffer) => Promise<void>;

/** Cuts bytes into parts; one is on its way while the next is filled, so an upload holds two parts at most. */
export class PartFiller {
  private chunks: Buffer[] = [];
  private filled = 0;
  private sending: Promise<void> = Promise.resolve();

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
    return Buffer.concat(this.chunks);
  }

  /** @throws where an earlier part could not be sent */
  async add(bytes: Buffer): Promise<void> {
    let left = bytes;
    while (left.length > 0) {
      const taken = left.subarray(0, partBytes(this.number, this.size) - this.filled);
      if (taken.length === 0) throw new RangeError('more bytes than the file has');
      this.chunks.push(taken);
      this.filled += taken.length;
      left = left.subarray(taken.length);
      if (this.filled === partBytes(this.number, this.size)) await this.flush();
    }
  }

  /** Resolves when everything that made a part is stored. */
  settled(): Promise<void> {
    return this.sending;
  }

  private async flush(): Promise<void> {
    const [number, part] = [this.number, this.rest];
    this.number += 1;
    this.chunks = [];
    this.filled = 0;
    await this.sending;
    this.sending = this.send(number, part);
    // Its failure is told by whoever waits for it next.
    this.sending.catch(() => undefined);
  }
}
