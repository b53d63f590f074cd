/**
 * LiveKit's own durations, sped up by `timeScale`: with 10, twenty seconds pass in two. Wall-clock stamps (joinedAt, createdAt,
 * token times) are never scaled, because they are compared with the reader's clock.
 */
export class Pace {
  constructor(readonly timeScale = 1) {
    if (!(timeScale > 0)) throw new RangeError(`timeScale must be positive, got ${timeScale}`);
  }

  /** How many real milliseconds LiveKit's `ms` take here. */
  toReal(ms: number): number {
    return ms / this.timeScale;
  }

  /** LiveKit measures timeouts as differences of whole unix seconds (pkg/rtc/room.go CloseIfEmpty). */
  secondsBetween(fromMs: number, toMs: number): number {
    return Math.floor((toMs * this.timeScale) / 1000) - Math.floor((fromMs * this.timeScale) / 1000);
  }

  wait(ms: number): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, this.toReal(ms)));
  }
}
