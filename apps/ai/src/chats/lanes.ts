import { AppError } from '@classroom/contracts';

/** A place in a queue. It must be left, whether its turn has come or not. */
export interface Place {
  /** Resolves when all who came before have left. @throws AppError CHAT_BUSY after `patienceMs`, or the signal's reason */
  turn(patienceMs: number, signal: AbortSignal): Promise<void>;
  leave(): void;
}

/** Queues by key: who comes first goes first, one at a time. */
export class Lanes {
  private readonly queues = new Map<string, (() => void)[]>();

  take(key: string): Place {
    const { promise, resolve: enter } = Promise.withResolvers<void>();
    const queue = this.queues.get(key) ?? [];
    this.queues.set(key, queue);
    if (queue.push(enter) === 1) enter();
    return { turn: (patienceMs, signal) => patiently(promise, patienceMs, signal), leave: () => this.leave(key, enter) };
  }

  /** How many keys are in use. */
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
