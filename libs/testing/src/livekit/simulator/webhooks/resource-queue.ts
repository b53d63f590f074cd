/** The values of protocol/webhook/resource_url_notifier.go DefaultResourceURLNotifierConfig. */
export const queueRules = { maxDepth: 200, maxAgeMs: 30_000 } as const;

export interface QueuedEvent {
  id: string;
  body: string;
  queuedAt: number;
}

export type DropReason = 'full' | 'age';

interface QueueHooks {
  /** Delivers one event, including retries; the queue waits for it. */
  post(event: QueuedEvent): Promise<void>;
  dropped(event: QueuedEvent, reason: DropReason): void;
  idle(): void;
}

/**
 * The ordered queue of one room (protocol/webhook/resource_queue.go): one event at a time, at most two hundred waiting. An event
 * that waited longer than thirty seconds is dropped when its turn comes. The event being sent does not count as waiting.
 */
export class ResourceQueue {
  readonly #waiting: QueuedEvent[] = [];
  #isWorking = false;
  #isClosed = false;

  constructor(
    private readonly hooks: QueueHooks,
    private readonly maxAgeMs: number = queueRules.maxAgeMs,
    private readonly maxDepth: number = queueRules.maxDepth,
    private readonly now: () => number = Date.now,
  ) {}

  enqueue(id: string, body: string): boolean {
    const event = { id, body, queuedAt: this.now() };
    if (this.#waiting.length >= this.maxDepth) {
      this.hooks.dropped(event, 'full');
      return false;
    }
    this.#waiting.push(event);
    if (!this.#isWorking) void this.#work();
    return true;
  }

  /** The process died: waiting events are lost without a report. */
  clear(): void {
    this.#isClosed = true;
    this.#waiting.length = 0;
  }

  async #work(): Promise<void> {
    this.#isWorking = true;
    for (let event = this.#waiting.shift(); event && !this.#isClosed; event = this.#waiting.shift()) {
      if (this.now() - event.queuedAt > this.maxAgeMs) this.hooks.dropped(event, 'age');
      else await this.hooks.post(event);
    }
    this.#isWorking = false;
    this.hooks.idle();
  }
}
