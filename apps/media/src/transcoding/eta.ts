/** The pace of work that reports whole percents. */
export class Eta {
  percent = 0;
  private since: number | undefined;

  constructor(private readonly now: () => number = Date.now) {}

  begin(): void {
    this.since = this.now();
  }

  /** Minimum remaining time in milliseconds at the pace so far; 0 while it is unknown. */
  get minRemainingMs(): number {
    if (this.since === undefined) return 0;
    const atMost = Math.min(100, this.percent + 1);
    return ((this.now() - this.since) * (100 - atMost)) / atMost;
  }
}
