import { Refusal, type SessionClient } from './session.js';

const RETRY_MS = 15_000;
/** The longest delay of a browser timer, in milliseconds. */
const LONGEST_MS = 2 ** 31 - 1;

/** Renews the classroom token while in class, at half of its lifetime. */
export class Renewal {
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly sessions: SessionClient,
    private readonly onRefused: (refusal: Refusal) => void,
  ) {}

  start(delay = this.sessions.halfLife): void {
    this.stop();
    const timer = setTimeout(() => void this.renew(() => timer === this.timer), Math.min(delay, LONGEST_MS));
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
      if (error instanceof Refusal && !error.isPassing) this.onRefused(error);
      else this.start(RETRY_MS);
    }
  }
}
