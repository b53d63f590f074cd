/** One message that waits for its turn. */
export interface Waiting<T> {
  key: string;
  item: T;
  /** Length of the message in bytes. */
  size: number;
}

/**
 * Messages that a consumer has read and not begun: one queue per key, and the keys that wait take turns. So a key with
 * thousands of messages delays another key by at most one of them. One message of a key is in progress at a time.
 */
export class Lanes<T> {
  /** Every key that has a message in progress or waiting, in the order of the next turn. */
  private readonly queues = new Map<string, Waiting<T>[]>();
  private readonly busy = new Set<string>();
  private waitingCount = 0;
  private waitingBytes = 0;

  /** Messages that wait. */
  get count(): number {
    return this.waitingCount;
  }

  /** Their bytes. */
  get bytes(): number {
    return this.waitingBytes;
  }

  /** Keys with a message in progress. */
  get active(): number {
    return this.busy.size;
  }

  add(waiting: Waiting<T>): void {
    const queue = this.queues.get(waiting.key);
    if (queue) queue.push(waiting);
    else this.queues.set(waiting.key, [waiting]);
    this.waitingCount += 1;
    this.waitingBytes += waiting.size;
  }

  /** The next message whose key is free; its key is busy until `release`. */
  take(): Waiting<T> | undefined {
    for (const [key, queue] of this.queues) {
      if (this.busy.has(key)) continue;
      const next = queue.shift();
      this.queues.delete(key);
      if (!next) continue;
      // To the end of the line: the other keys come first.
      if (queue.length > 0) this.queues.set(key, queue);
      this.busy.add(key);
      this.waitingCount -= 1;
      this.waitingBytes -= next.size;
      return next;
    }
    return undefined;
  }

  release(key: string): void {
    this.busy.delete(key);
  }

  /** Everything that waits, in the order in which it came per key. */
  *[Symbol.iterator](): Generator<T> {
    for (const queue of this.queues.values()) for (const { item } of queue) yield item;
  }

  /** Removes and returns everything that waits. */
  clear(): T[] {
    const items = [...this];
    this.queues.clear();
    this.waitingCount = 0;
    this.waitingBytes = 0;
    return items;
  }
}
