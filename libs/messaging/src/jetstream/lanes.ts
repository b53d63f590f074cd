/** A message that waits for its turn. */
export interface Waiting<T> {
  key: string;
  item: T;
  /** Size of the message in bytes. */
  size: number;
}

/**
 * Messages that a consumer has read but not started: one queue per key, and the waiting keys take turns. A key with thousands of
 * messages therefore delays another key by at most one of them. Messages of one key are in progress in one batch at a time.
 */
export class Lanes<T> {
  /** Every key that has a message in progress or waiting, in the order of the next turn. */
  private readonly queues = new Map<string, Waiting<T>[]>();
  private readonly busy = new Set<string>();
  private waitingCount = 0;
  private waitingBytes = 0;

  /** Number of waiting messages. */
  get count(): number {
    return this.waitingCount;
  }

  /** Total size of the waiting messages in bytes. */
  get bytes(): number {
    return this.waitingBytes;
  }

  add(waiting: Waiting<T>): void {
    const queue = this.queues.get(waiting.key);
    if (queue) queue.push(waiting);
    else this.queues.set(waiting.key, [waiting]);
    this.waitingCount += 1;
    this.waitingBytes += waiting.size;
  }

  /**
   * At most `limit` messages of free keys: the keys take turns, and the messages of one key keep their order. Their keys are then busy
   * until `release`.
   */
  take(limit: number): Waiting<T>[] {
    const taken: Waiting<T>[] = [];
    const keys = new Set<string>();
    // A key that is added again during the loop comes once more at its end.
    for (const [key, queue] of this.queues) {
      if (taken.length === limit) break;
      if (this.busy.has(key) && !keys.has(key)) continue;
      const next = queue.shift();
      this.queues.delete(key);
      if (!next) continue;
      // The key moves to the end of the order, so that the other keys come first.
      if (queue.length > 0) this.queues.set(key, queue);
      this.busy.add(key);
      keys.add(key);
      this.waitingCount -= 1;
      this.waitingBytes -= next.size;
      taken.push(next);
    }
    return taken;
  }

  release(key: string): void {
    this.busy.delete(key);
  }

  /** Removes and returns all waiting messages; those of one key in their order of arrival. */
  clear(): T[] {
    const items = [...this.queues.values()].flatMap((queue) => queue.map(({ item }) => item));
    this.queues.clear();
    this.waitingCount = 0;
    this.waitingBytes = 0;
    return items;
  }
}
