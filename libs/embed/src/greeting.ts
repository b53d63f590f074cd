const FIRST_MS = 250;
const MOST_MS = 5_000;
/** More than a minute: a classroom that has said nothing by then was refused the frame, and each hello is an error in the console. */
const MOST_TIMES = 20;

/** Says hello until it is answered: the page hears none before it has begun, and tells nobody when that is. */
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
