/** Two clocks: a test may move the time of domain deadlines, but not the time that a signature or a peer checks. */
export abstract class Clock {
  /** For domain deadlines: due times, retention, cycles. */
  abstract now(): Date;

  /** For tokens, signatures, TLS and comparisons with another machine's clock. Tests never move it. */
  wall(): Date {
    return new Date();
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
