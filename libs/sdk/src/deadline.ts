import { ConnectionError, TimeoutError, VirtualClassroomError } from './errors.js';

/** Hangs up where nothing comes for so long, or where the caller's own signal fires. */
export class Deadline {
  private readonly controller = new AbortController();
  private readonly onAbort = () => this.controller.abort(this.caller?.reason);

  constructor(
    private readonly timeoutMs: number,
    private readonly caller?: AbortSignal,
  ) {
    if (caller?.aborted) this.onAbort();
    caller?.addEventListener('abort', this.onAbort, { once: true });
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /**
   * Has work of the network's done, each part of an answer in a time of its own.
   * @throws the caller's reason, TimeoutError, VirtualClassroomError; anything else is the network's, a ConnectionError
   */
  async within<T>(work: () => Promise<T>): Promise<T> {
    const timer = setTimeout(() => this.controller.abort(new TimeoutError(this.timeoutMs)), this.timeoutMs);
    try {
      return await work();
    } catch (error) {
      if (this.signal.aborted) throw this.signal.reason;
      if (error instanceof VirtualClassroomError) throw error;
      throw new ConnectionError('The connection failed', { cause: error });
    } finally {
      clearTimeout(timer);
    }
  }

  end(): void {
    this.caller?.removeEventListener('abort', this.onAbort);
  }
}
