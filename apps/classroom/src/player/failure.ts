/** Why the video cannot be shown. A network failure is none of these, because the player retries it. */
export type Failure = 'no-link' | 'expired' | 'missing' | 'unsupported' | 'failed';

/** The failure for an HTTP status. Undefined if a retry may help: no answer (0), or a temporary server error. */
export function toFailure(status: number): Failure | undefined {
  if (status === 401 || status === 403 || status === 410) return 'expired';
  if (status === 404) return 'missing';
  const isRetryable = status === 0 || status === 408 || status === 425 || status === 429 || status >= 500;
  return isRetryable ? undefined : 'failed';
}

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
