import type { MAX_DRAWN, MAX_DRAWN_BYTES } from '@classroom/contracts';
import { ApiError, type Input } from '../session/session.js';
import { sizeOf, type SentElement } from './elements.js';

const MOST: typeof MAX_DRAWN = 50;
const MOST_BYTES: typeof MAX_DRAWN_BYTES = 131_072;
/** Between two calls, in milliseconds: 375 a minute, of the 600 that the gateway allows a participant. */
const GAP_MS = 160;
/** If more people draw at the same time, each calls less often, so that a class makes at most so many calls as these. */
const MOST_AT_ONCE = 10;
/** Bytes of a millisecond: a long stroke is sent whole each time, so it is sent less often the longer it is. */
const RATE = 64;
const MIN_RETRY_MS = 500;
const MAX_RETRY_MS = 15_000;

interface Change {
  pageId: string;
  element: SentElement;
}

interface Options {
  /** @throws ApiError */
  send(input: Input<'drawOnBoard'>): Promise<{ version: number; refused: string[] }>;
  onConfirmed(pageId: string, elements: readonly SentElement[], version: number): void;
  /** How many people draw at present, the participant included. */
  drawing(): number;
  /** The service has others in place of these elements; `error`: why it refused all of them. */
  onRefused(ids: readonly string[], error?: ApiError): void;
}

/** Sends what the participant draws: one call at a time, the newest form of each element, until the service has it. */
export class Outgoing {
  private readonly waiting = new Map<string, Change>();
  private inFlight: ReadonlyMap<string, Change> = new Map();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private freeAt = -Infinity;
  private failures = 0;
  /** Elements of the next call. One, after the service found a fault in one of several. */
  private most: number = MOST;
  private run = {};

  constructor(private readonly options: Options) {}

  add(pageId: string, elements: readonly SentElement[]): void {
    for (const element of elements) this.waiting.set(element.id, { pageId, element });
    this.schedule();
  }

  /** Whether the service does not have the newest form yet. */
  isPending(id: string): boolean {
    return this.waiting.has(id) || this.inFlight.has(id);
  }

  /** What the service does not have yet, in its newest form. */
  pendingOf(pageId: string): SentElement[] {
    const newest = new Map([...this.inFlight, ...this.waiting]);
    return [...newest.values()].filter((change) => change.pageId === pageId).map(({ element }) => element);
  }

  /** Takes the place of a call that draws nothing. @returns false if it comes too early, or something waits that was drawn */
  takeTurn(): boolean {
    if (performance.now() < this.freeAt || this.waiting.size > 0) return false;
    this.freeAt = performance.now() + this.gapMs;
    return true;
  }

  /** Forgets everything. */
  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.waiting.clear();
    this.inFlight = new Map();
    [this.failures, this.most, this.run] = [0, MOST, {}];
  }

  private get gapMs(): number {
    return GAP_MS * Math.max(1, this.options.drawing() / MOST_AT_ONCE);
  }

  private schedule(): void {
    if (this.timer !== undefined || this.inFlight.size > 0 || this.waiting.size === 0) return;
    const retryMs = this.failures > 0 ? Math.min(MIN_RETRY_MS * 2 ** (this.failures - 1), MAX_RETRY_MS) : 0;
    // What a pause began with waits too, so that its continuation joins it.
    const ms = Math.max(this.freeAt - performance.now(), GAP_MS / 2, retryMs);
    this.timer = setTimeout(() => void this.sendNext(), ms);
  }

  private async sendNext(): Promise<void> {
    this.timer = undefined;
    const { run } = this;
    const { pageId, batch, bytes } = this.takeBatch();
    this.freeAt = performance.now() + Math.max(this.gapMs, bytes / RATE);
    this.inFlight = batch;
    const elements = [...batch.values()].map(({ element }) => element);
    try {
      const { version, refused } = await this.options.send({ pageId, elements });
      if (run !== this.run) return;
      [this.inFlight, this.failures, this.most] = [new Map(), 0, MOST];
      for (const id of refused) this.waiting.delete(id);
      const stored = elements.filter(({ id }) => !refused.includes(id));
      if (stored.length > 0) this.options.onConfirmed(pageId, stored, version);
      if (refused.length > 0) this.options.onRefused(refused);
    } catch (error) {
      if (run === this.run) this.onFailure(batch, error);
    }
    if (run === this.run) this.schedule();
  }

  /** Elements of one page, the oldest first. */
  private takeBatch(): { pageId: string; batch: Map<string, Change>; bytes: number } {
    const [first] = this.waiting.values();
    const pageId = first?.pageId ?? '';
    const batch = new Map<string, Change>();
    let bytes = 0;
    for (const [id, change] of this.waiting) {
      if (change.pageId !== pageId) continue;
      const size = sizeOf(change.element);
      if (batch.size >= this.most || (batch.size > 0 && bytes + size > MOST_BYTES)) break;
      bytes += size;
      batch.set(id, change);
      this.waiting.delete(id);
    }
    return { pageId, batch, bytes };
  }

  private onFailure(batch: ReadonlyMap<string, Change>, error: unknown): void {
    this.inFlight = new Map();
    // The page renews its session meanwhile.
    const isFinal = error instanceof ApiError && !error.isRetryable && error.code !== 'UNAUTHORIZED';
    const hasFault = isFinal && error.code === 'VALIDATION_FAILED' && batch.size > 1;
    if (isFinal && !hasFault) {
      for (const id of batch.keys()) this.waiting.delete(id);
      return this.options.onRefused([...batch.keys()], error);
    }
    if (hasFault) this.most = 1;
    else this.failures += 1;
    const newer = [...this.waiting];
    this.waiting.clear();
    for (const [id, change] of [...batch, ...newer]) this.waiting.set(id, change);
  }
}
