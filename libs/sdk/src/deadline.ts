import { ConnectionError, TimeoutError, VirtualClassroomError } from './errors.js';

/** Aborts a request if the network is silent for `timeoutMs` milliseconds, or if the caller's signal fires. */
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
   * Runs one step of a request, such as reading one part of the answer. Each step has the full timeout.
   * @throws the caller's reason, TimeoutError or VirtualClassroomError; any other error is a network failure and becomes a
   * ConnectionError
   */
  async runStep<T>(step: () => Promise<T>): Promise<T> {
    const timer = setTimeout(() => this.controller.abort(new TimeoutError(this.timeoutMs)), this.timeoutMs);
    try {
      return await step();
    } catch (error) {
      if (this.signal.aborted) throw this.signal.reason;
      if (error instanceof VirtualClassroomError) throw error;
      throw new ConnectionError('The connection failed', { cause: error });
    } finally {
      clearTimeout(timer);
    }
  }

  dispose(): void {
    this.caller?.removeEventListener('abort', this.onAbort);
  }
}
