/** How long a full pipe may block the process before lines are dropped, in milliseconds. */
const FULL_PIPE_MS = 200;
const RETRY_MS = 10;

const sleeper = new Int32Array(new SharedArrayBuffer(4));

/**
 * Destination of log lines. Each line is written immediately, so that a crash loses none. A full disk or a stalled reader loses
 * lines, but never stops the process: lines that cannot be written are dropped and counted, and the next line written reports the
 * count.
 *
 * Pino's own destination is not used: an ENOSPC there ends the process, and its exit handler then retries without end and blocks
 * the event loop.
 */
export class LogOutput {
  private dropped = 0;
  /** Only a part of the last line was written. */
  private isTorn = false;

  /**
   * @param writeSome writes some of the bytes, and returns how many
   * @param notice the line that reports how many lines were dropped
   */
  constructor(
    private readonly writeSome: (bytes: Buffer) => number,
    private readonly notice: (dropped: number) => string,
  ) {}

  write(line: string): void {
    if (this.dropped > 0 && this.put(this.notice(this.dropped))) this.dropped = 0;
    if (this.dropped > 0 || !this.put(line)) this.dropped += 1;
  }

  private put(line: string): boolean {
    let rest = Buffer.from(this.isTorn ? `\n${line}` : line);
    let retries = this.dropped > 0 ? 0 : FULL_PIPE_MS / RETRY_MS;
    while (rest.length > 0) {
      try {
        rest = rest.subarray(this.writeSome(rest));
        this.isTorn = rest.length > 0;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN' || retries === 0) return false;
        retries -= 1;
        Atomics.wait(sleeper, 0, 0, RETRY_MS);
      }
    }
    return true;
  }
}
