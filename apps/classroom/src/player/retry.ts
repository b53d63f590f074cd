const FIRST_MS = 1_000;
const MOST_MS = 10_000;

/** Retries with increasing delays, and immediately when the browser reports that the network is back. */
export class Retry {
  private pause = FIRST_MS;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private again: (() => void) | undefined;

  constructor() {
    window.addEventListener('online', this.run);
  }

  later(again: () => void): void {
    this.again = again;
    clearTimeout(this.timer);
    this.timer = setTimeout(this.run, this.pause);
    this.pause = Math.min(this.pause * 2, MOST_MS);
  }

  succeeded(): void {
    this.pause = FIRST_MS;
    this.drop();
  }

  close(): void {
    this.drop();
    window.removeEventListener('online', this.run);
  }

  private drop(): void {
    clearTimeout(this.timer);
    this.again = undefined;
  }

  private readonly run = (): void => {
    const { again } = this;
    this.drop();
    again?.();
  };
}
