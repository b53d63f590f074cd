/** How often to request the class state even if no push suggests it, in milliseconds: a push may be lost unnoticed. */
const BACKSTOP_MS = 30_000;
/** All participants notice the same gap at the same moment; this spreads their requests, in milliseconds. */
const SPREAD_MS = 1_000;
const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 30_000;

const jitter = () => 0.8 + Math.random() * 0.4;

/** Requests updates: one request at a time, after a failure with increasing delays, and regularly without a cause. */
export class Refresher {
  private running: AbortController | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private isDueSoon = false;
  private failures = 0;
  private underWay: Promise<void> | undefined;
  private next: Promise<void> | undefined;

  /** `ask` must change nothing once `signal` has aborted. */
  constructor(private readonly ask: (signal: AbortSignal) => Promise<void>) {}

  get isRunning(): boolean {
    return this.running !== undefined;
  }

  start(): void {
    if (this.running) return;
    this.running = new AbortController();
    void this.now();
  }

  stop(): void {
    clearTimeout(this.timer);
    this.running?.abort();
    this.running = undefined;
    this.underWay = undefined;
    this.next = undefined;
    this.isDueSoon = false;
    this.failures = 0;
  }

  /** Requests within a second. While the server fails, the next retry is not moved forward. */
  soon(): void {
    if (!this.running || this.isDueSoon || this.failures > 0) return;
    this.isDueSoon = true;
    this.schedule(Math.random() * SPREAD_MS);
  }

  /** Resolves when a request that starts from now on is answered or has failed. Never rejects. */
  now(): Promise<void> {
    const { running } = this;
    if (!running) return Promise.resolve();
    if (!this.underWay) return (this.underWay = this.run(running.signal));
    // The request in progress may have been answered before the event that caused this call.
    return (this.next ??= this.follow(this.underWay, running.signal));
  }

  private async follow(underWay: Promise<void>, signal: AbortSignal): Promise<void> {
    await underWay;
    if (signal.aborted) return;
    this.next = undefined;
    await this.now();
  }

  private async run(signal: AbortSignal): Promise<void> {
    clearTimeout(this.timer);
    this.isDueSoon = false;
    let isAnswered = false;
    try {
      await this.ask(signal);
      isAnswered = true;
    } catch {}
    if (signal.aborted) return;
    this.underWay = undefined;
    this.failures = isAnswered ? 0 : this.failures + 1;
    if (!this.isDueSoon) this.schedule((isAnswered ? BACKSTOP_MS : retryMs(this.failures)) * jitter());
  }

  private schedule(ms: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.now(), ms);
  }
}

const retryMs = (failures: number) => Math.min(FIRST_RETRY_MS * 2 ** (failures - 1), LAST_RETRY_MS);
