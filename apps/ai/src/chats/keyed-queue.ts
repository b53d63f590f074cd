import { AppError } from '@classroom/contracts';

/** An entry in a queue. Its holder must leave the queue, whether or not its turn came. */
export interface QueueEntry {
  /**
   * Resolves when all earlier entries have left.
   * @throws AppError CHAT_BUSY after `timeoutMs`, or the signal's reason
   */
  waitForTurn(timeoutMs: number, signal: AbortSignal): Promise<void>;
  leave(): void;
}

/** First-in-first-out queues by key; one holder at a time. */
export class KeyedQueue {
  private readonly queues = new Map<string, (() => void)[]>();

  enqueue(key: string): QueueEntry {
    const { promise, resolve: start } = Promise.withResolvers<void>();
    const queue = this.queues.get(key) ?? [];
    this.queues.set(key, queue);
    if (queue.push(start) === 1) start();
    return { waitForTurn: (timeoutMs, signal) => withTimeout(promise, timeoutMs, signal), leave: () => this.leave(key, start) };
  }

  /** The number of keys in use. */
  get size(): number {
    return this.queues.size;
  }

  private leave(key: string, start: () => void): void {
    const queue = this.queues.get(key);
    const position = queue?.indexOf(start) ?? -1;
    if (!queue || position < 0) return;
    queue.splice(position, 1);
    if (queue.length === 0) this.queues.delete(key);
    else if (position === 0) queue[0]?.();
  }
}

async function withTimeout(turn: Promise<void>, timeoutMs: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const { promise: aborted, reject: abort } = Promise.withResolvers<never>();
  const onAbort = () => abort(signal.reason);
  const timer = setTimeout(() => abort(new AppError('CHAT_BUSY')), timeoutMs);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    await Promise.race([turn, aborted]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}
