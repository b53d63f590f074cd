const MIN_MS = 1_000;
const MAX_MS = 10_000;

/** Retries with increasing delays, and immediately when the browser reports that the network is back. */
export class Retry {
  private pause = MIN_MS;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private callback: (() => void) | undefined;

  constructor() {
    window.addEventListener('online', this.run);
  }

  schedule(callback: () => void): void {
    this.callback = callback;
    clearTimeout(this.timer);
    this.timer = setTimeout(this.run, this.pause);
    this.pause = Math.min(this.pause * 2, MAX_MS);
  }

  reset(): void {
    this.pause = MIN_MS;
    this.cancel();
  }

  close(): void {
    this.cancel();
    window.removeEventListener('online', this.run);
  }

  private cancel(): void {
    clearTimeout(this.timer);
    this.callback = undefined;
  }

  private readonly run = (): void => {
    const { callback } = this;
    this.cancel();
    callback?.();
  };
}
