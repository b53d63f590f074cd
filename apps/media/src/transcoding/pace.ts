/** How fast something gets on that tells whole percents. */
export class Pace {
  percent = 0;
  private since: number | undefined;

  constructor(private readonly now: () => number = Date.now) {}

  begin(): void {
    this.since = this.now();
  }

  /** Milliseconds that it still takes at least, at the pace so far; 0 while nothing is known. */
  get leastLeftMs(): number {
    if (this.since === undefined) return 0;
    const atMost = Math.min(100, this.percent + 1);
    return ((this.now() - this.since) * (100 - atMost)) / atMost;
  }
}
