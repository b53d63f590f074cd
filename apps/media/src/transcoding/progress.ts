/** Seconds of output so far, from ffmpeg's `-progress` lines; undefined before the first frame. */
export function outTime(lines: string): number | undefined {
  const last = [...lines.matchAll(/^out_time_us=(-?\d+)$/gm)].at(-1)?.[1];
  return last === undefined ? undefined : Math.max(0, Number(last) / 1e6);
}

/** Stalled: a minute without a new frame, in which ffmpeg used more than 30 s of processor time. */
const STALLED_MS = 60_000;
const STALLED_PROCESSOR_SECONDS = 30;
/** If it used less, the machine may be at fault, so ffmpeg gets this much time. */
const HUNG_MS = 15 * 60_000;

/** Parses ffmpeg's `-progress` output, which arrives in pieces. */
export class Progress {
  /** Seconds of output so far. */
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

  /** 0 to 99: the last percent is for the steps after ffmpeg. */
  get percent(): number {
    return Math.min(99, Math.floor((this.reached / this.duration) * 100));
  }

  /** @param processorSeconds that ffmpeg used so far; undefined if unknown, then a minute without a new frame is enough */
  isStalled(processorSeconds: number | undefined): boolean {
    const idleMs = this.now() - this.movedAt;
    if (processorSeconds === undefined) return idleMs > STALLED_MS;
    this.processorAtMove ??= processorSeconds;
    const worked = processorSeconds - this.processorAtMove;
    return idleMs > HUNG_MS || (idleMs > STALLED_MS && worked > STALLED_PROCESSOR_SECONDS);
  }
}

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
