import { ModelFailure } from '../models/model-failure.js';

/**
 * A signal for one attempt: fires with the caller's, or with a ModelFailure when the model is too slow. What its reader takes
 * its time for is not counted against the model, except in the whole. Must be closed.
 */
export class Deadline {
  private readonly controller = new AbortController();
  private readonly follow = () => this.controller.abort(this.caller.reason);
  private readonly total: NodeJS.Timeout;
  private pause: NodeJS.Timeout;
  private isAlive = false;
  private isAwaited = true;

  /** @param firstMs to the first sign of life @param idleMs between two @param endsAt performance.now() of the whole call's end */
  constructor(
    private readonly caller: AbortSignal,
    firstMs: number,
    private readonly idleMs: number,
    endsAt: number,
  ) {
    const tooSlow = () => this.controller.abort(new ModelFailure('too_slow'));
    this.total = setTimeout(tooSlow, Math.max(endsAt - performance.now(), 0));
    this.pause = setTimeout(tooSlow, firstMs);
    caller.addEventListener('abort', this.follow, { once: true });
    if (caller.aborted) this.follow();
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Someone waits for the model's next word. */
  await(): void {
    this.isAwaited = true;
    if (this.isAlive) this.pause.refresh();
  }

  /** The model said something. */
  prolong(): void {
    this.isAwaited = false;
    if (this.isAlive) return;
    this.isAlive = true;
    clearTimeout(this.pause);
    this.pause = setTimeout(() => {
      if (this.isAwaited) this.controller.abort(new ModelFailure('too_slow'));
    }, this.idleMs);
  }

  /** Ends what still runs under the signal. */
  close(): void {
    clearTimeout(this.total);
    clearTimeout(this.pause);
    this.caller.removeEventListener('abort', this.follow);
    this.controller.abort(new Error('the call is over'));
  }
}
