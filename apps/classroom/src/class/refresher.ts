/** How often to request the class state even if no push suggests it, in milliseconds: a push may be lost unnoticed. */
const BACKSTOP_MS = 30_000;
/** All participants notice the same gap at the same moment; this spreads their requests, in milliseconds. */
const SPREAD_MS = 1_000;
const MIN_RETRY_MS = 1_000;
const MAX_RETRY_MS = 30_000;

const jitter = () => 0.8 + Math.random() * 0.4;

/** Requests updates: one request at a time, after a failure with increasing delays, and regularly without a cause. */
export class Refresher {
  private running: AbortController | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private isDueSoon = false;
  private failures = 0;
  private inFlight: Promise<void> | undefined;
  private nextRefresh: Promise<void> | undefined;

  /** `fetchState` must change nothing once `signal` has aborted. */
  constructor(private readonly fetchState: (signal: AbortSignal) => Promise<void>) {}

  get isRunning(): boolean {
    return this.running !== undefined;
  }

  start(): void {
    if (this.running) return;
    this.running = new AbortController();
    void this.refreshNow();
  }

  stop(): void {
    clearTimeout(this.timer);
    this.running?.abort();
    this.running = undefined;
    this.inFlight = undefined;
    this.nextRefresh = undefined;
    this.isDueSoon = false;
    this.failures = 0;
  }

  /** Requests within a second. While the server fails, the next retry is not moved forward. */
  refreshSoon(): void {
    if (!this.running || this.isDueSoon || this.failures > 0) return;
    this.isDueSoon = true;
    this.schedule(Math.random() * SPREAD_MS);
  }

  /** Resolves when a request that starts from now on is answered or has failed. Never rejects. */
  refreshNow(): Promise<void> {
    const { running } = this;
    if (!running) return Promise.resolve();
    if (!this.inFlight) return (this.inFlight = this.refresh(running.signal));
    // The request in progress may have been answered before the event that caused this call.
    return (this.nextRefresh ??= this.refreshAfter(this.inFlight, running.signal));
  }

  private async refreshAfter(inFlight: Promise<void>, signal: AbortSignal): Promise<void> {
    await inFlight;
    if (signal.aborted) return;
    this.nextRefresh = undefined;
    await this.refreshNow();
  }

  private async refresh(signal: AbortSignal): Promise<void> {
    clearTimeout(this.timer);
    this.isDueSoon = false;
    let isAnswered = false;
    try {
      await this.fetchState(signal);
      isAnswered = true;
    } catch {}
    if (signal.aborted) return;
    this.inFlight = undefined;
    this.failures = isAnswered ? 0 : this.failures + 1;
    if (!this.isDueSoon) this.schedule((isAnswered ? BACKSTOP_MS : retryMs(this.failures)) * jitter());
  }

  private schedule(ms: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.refreshNow(), ms);
  }
}

const retryMs = (failures: number) => Math.min(MIN_RETRY_MS * 2 ** (failures - 1), MAX_RETRY_MS);
