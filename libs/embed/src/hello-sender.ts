const MIN_DELAY_MS = 250;
const MAX_DELAY_MS = 5_000;
/** 20 attempts take more than a minute. A page that has not answered by then was not allowed in the frame, and each hello logs an error. */
const MAX_ATTEMPTS = 20;

/** Repeats `hello` until the classroom page answers: the page misses messages sent before it runs, and does not report when it is ready. */
export class HelloSender {
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly sendHello: () => void) {}

  start(): void {
    this.stop();
    this.send(1);
  }

  stop(): void {
    clearTimeout(this.timer);
  }

  private send(attempt: number): void {
    this.sendHello();
    if (attempt < MAX_ATTEMPTS)
      this.timer = setTimeout(() => this.send(attempt + 1), Math.min(MIN_DELAY_MS * 2 ** (attempt - 1), MAX_DELAY_MS));
  }
}
