/**
 * Runs the added sends together, after the events at hand have been handled. nats.js flushes in a microtask, so everything that
 * is published in one go leaves in one write. Under load, the system calls here and at the receiver are most of the cost of a
 * request.
 */
export class Batch {
  private sends: (() => void)[] = [];

  /** `send` must not throw. */
  add(send: () => void): void {
    if (this.sends.push(send) === 1) setImmediate(() => this.flush());
  }

  flush(): void {
    const { sends } = this;
    this.sends = [];
    for (const send of sends) send();
  }
}
