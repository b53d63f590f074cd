const FAILURES = 3;
const PAUSE_MS = 30_000;

/** Pauses calls to an address after some failures in a row, so that a class does not wait for each. Times are in milliseconds. */
export class Circuit {
  private readonly failing = new Map<string, { failures: number; pausedUntil: number }>();

  isPaused(key: string, now: number): boolean {
    return (this.failing.get(key)?.pausedUntil ?? 0) > now;
  }

  record(key: string, hasFailed: boolean, now: number): void {
    if (!hasFailed) {
      this.failing.delete(key);
      return;
    }
    const failures = (this.failing.get(key)?.failures ?? 0) + 1;
    this.failing.set(key, { failures, pausedUntil: failures < FAILURES ? 0 : now + PAUSE_MS });
  }
}
