const FIRST_MS = 250;
const MOST_MS = 5_000;
/** 20 attempts take more than a minute. A page that has not answered by then was not allowed in the frame, and each hello logs an error. */
const MOST_TIMES = 20;

/** Repeats `hello` until the classroom page answers: the page misses messages sent before it runs, and does not report when it is ready. */
export class Greeting {
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly greet: () => void) {}

  start(): void {
    this.stop();
    this.say(1);
  }

  stop(): void {
    clearTimeout(this.timer);
  }

  private say(time: number): void {
    this.greet();
    if (time < MOST_TIMES) this.timer = setTimeout(() => this.say(time + 1), Math.min(FIRST_MS * 2 ** (time - 1), MOST_MS));
  }
}
