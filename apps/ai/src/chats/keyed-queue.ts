import { AppError } from '@classroom/contracts';

/** A place in a queue. Its holder must leave it, whether or not its turn came. */
export interface Place {
  /**
   * Resolves when all earlier places have been left.
   * @throws AppError CHAT_BUSY after `patienceMs`, or the signal's reason
   */
  turn(patienceMs: number, signal: AbortSignal): Promise<void>;
  leave(): void;
}

/** First-in-first-out queues by key; one holder at a time. */
export class Lanes {
  private readonly queues = new Map<string, (() => void)[]>();

  take(key: string): Place {
    const { promise, resolve: enter } = Promise.withResolvers<void>();
    const queue = this.queues.get(key) ?? [];
    this.queues.set(key, queue);
    if (queue.push(enter) === 1) enter();
    return { turn: (patienceMs, signal) => patiently(promise, patienceMs, signal), leave: () => this.leave(key, enter) };
  }

  /** The number of keys in use. */
  get size(): number {
    return this.queues.size;
  }

  private leave(key: string, enter: () => void): void {
    const queue = this.queues.get(key);
    const place = queue?.indexOf(enter) ?? -1;
    if (!queue || place < 0) return;
    queue.splice(place, 1);
    if (queue.length === 0) this.queues.delete(key);
    else if (place === 0) queue[0]?.();
  }
}

async function patiently(turn: Promise<void>, patienceMs: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const { promise: givenUp, reject: giveUp } = Promise.withResolvers<never>();
  const onAbort = () => giveUp(signal.reason);
  const timer = setTimeout(() => giveUp(new AppError('CHAT_BUSY')), patienceMs);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    await Promise.race([turn, givenUp]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}
