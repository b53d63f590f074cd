/** Two times: domain deadlines may be moved by a test, what a signature or a peer checks may not. */
export abstract class Clock {
  /** For domain deadlines: due times, retention, cycles. */
  abstract now(): Date;

  /** For tokens, signatures, TLS and what is compared with another machine's clock. Never moved. */
  wall(): Date {
    return new Date();
  }
}

export class SystemClock extends Clock {
  override now(): Date {
    return new Date();
  }
}

/** Ahead of the system's clock by as much as it was told (milliseconds); see `CLOCK_SUBJECT`. */
export class ControlledClock extends Clock {
  private offsetMs = 0;

  override now(): Date {
    return new Date(Date.now() + this.offsetMs);
  }

  moveTo(offsetMs: number): void {
    this.offsetMs = offsetMs;
  }
}
