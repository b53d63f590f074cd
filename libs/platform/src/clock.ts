import { readFileSync } from 'node:fs';

/** Two clocks: a test may move the time of domain deadlines, but not the time that a signature or a peer checks. */
export abstract class Clock {
  /** For domain deadlines: due times, retention, cycles. */
  abstract now(): Date;

  /** For tokens, signatures, TLS and comparisons with another machine's clock. Tests never move it. */
  wall(): Date {
    return new Date();
  }

  /** When classes happen, by LiveKit and in facts: the real time, except in a sandbox, whose simulated LiveKit follows the moved clock. */
  classTime(): Date {
    return this.wall();
  }

  /** Milliseconds of the last move. In so much time LiveKit could not say who was connected, and that is no outage. */
  get jumpMs(): number {
    return 0;
  }
}

export class SystemClock extends Clock {
  override now(): Date {
    return new Date();
  }
}

/** The system's clock plus an offset in milliseconds that a test sets; see `CLOCK_SUBJECT`. */
export class ControlledClock extends Clock {
  private offsetMs = 0;

  override now(): Date {
    return new Date(Date.now() + this.offsetMs);
  }

  moveTo(offsetMs: number): void {
    this.offsetMs = offsetMs;
  }
}

/** Stands still until it is moved, and moves only forward: in a sandbox a lesson takes 45 minutes to the second, however busy the machine is. */
export class SandboxClock extends Clock {
  private atMs: number;
  private lastJumpMs = 0;

  constructor(at: Date) {
    super();
    this.atMs = at.getTime();
  }

  /** @param file JSON with the present time in `now`, ISO 8601 @throws if it has no time */
  static fromFile(file: string): SandboxClock {
    const { now } = JSON.parse(readFileSync(file, 'utf8')) as { now?: string };
    const at = new Date(now ?? NaN);
    if (Number.isNaN(at.getTime())) throw new Error(`CLOCK_FILE: ${file} contains no time`);
    return new SandboxClock(at);
  }

  override now(): Date {
    return new Date(this.atMs);
  }

  override classTime(): Date {
    return this.now();
  }

  override get jumpMs(): number {
    return this.lastJumpMs;
  }

  /** An earlier time changes nothing. */
  moveTo(at: Date): void {
    const byMs = at.getTime() - this.atMs;
    if (!(byMs > 0)) return;
    this.atMs += byMs;
    this.lastJumpMs = byMs;
  }
}
