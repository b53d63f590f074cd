/** Seconds of what was made so far, of ffmpeg's `-progress` lines; undefined before the first frame. */
export function outTime(lines: string): number | undefined {
  const last = [...lines.matchAll(/^out_time_us=(-?\d+)$/gm)].at(-1)?.[1];
  return last === undefined ? undefined : Math.max(0, Number(last) / 1e6);
}

/** Without a frame more: a minute, of which it worked for half. */
const STALLED_MS = 60_000;
const STALLED_PROCESSOR_SECONDS = 30;
/** And where it does not even get to work, the machine may be to blame, for a while. */
const HUNG_MS = 15 * 60_000;

/** Follows ffmpeg's `-progress` as it comes in pieces. */
export class Progress {
  /** Seconds. */
  reached = 0;
  private movedAt: number;
  private processorAtMove: number | undefined;
  private rest = '';

  constructor(
    private readonly now: () => number,
    private readonly duration: number,
  ) {
    this.movedAt = now();
  }

  read(text: string): void {
    const whole = this.rest + text;
    const cut = whole.lastIndexOf('\n') + 1;
    this.rest = whole.slice(cut).slice(-1_000);
    const reached = outTime(whole.slice(0, cut)) ?? 0;
    if (reached <= this.reached) return;
    this.reached = reached;
    this.movedAt = this.now();
    this.processorAtMove = undefined;
  }

  /** 0 to 99: the last is for what comes after. */
  get percent(): number {
    return Math.min(99, Math.floor((this.reached / this.duration) * 100));
  }

  /** @param processorSeconds what it took so far; undefined where nobody knows */
  isStalled(processorSeconds: number | undefined): boolean {
    const idleMs = this.now() - this.movedAt;
    if (processorSeconds === undefined) return idleMs > STALLED_MS;
    this.processorAtMove ??= processorSeconds;
    const worked = processorSeconds - this.processorAtMove;
    return idleMs > HUNG_MS || (idleMs > STALLED_MS && worked > STALLED_PROCESSOR_SECONDS);
  }
}
