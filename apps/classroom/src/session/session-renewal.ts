import { ApiError, type SessionClient } from './session.js';

const RETRY_MS = 15_000;
/** The longest delay of a browser timer, in milliseconds. */
const MAX_DELAY_MS = 2 ** 31 - 1;

/** Renews the classroom token while in class, at half of its lifetime. */
export class SessionRenewal {
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly sessions: SessionClient,
    private readonly onRejected: (error: ApiError) => void,
  ) {}

  start(delay = this.sessions.renewAfterMs): void {
    this.stop();
    const timer = setTimeout(() => void this.renew(() => timer === this.timer), Math.min(delay, MAX_DELAY_MS));
    this.timer = timer;
  }

  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private async renew(isCurrent: () => boolean): Promise<void> {
    try {
      await this.sessions.renew();
      if (isCurrent()) this.start();
    } catch (error) {
      if (!isCurrent()) return;
      if (error instanceof ApiError && !error.isRetryable) this.onRejected(error);
      else this.start(RETRY_MS);
    }
  }
}
