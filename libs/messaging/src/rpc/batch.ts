/**
 * Runs what was added together, once the events at hand are handled. nats.js flushes in a microtask, so whatever is published
 * in one go leaves in one write: under load the system calls, here and at the receiver, are most of a request's cost.
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
