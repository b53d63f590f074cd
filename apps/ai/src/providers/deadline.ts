import { ModelFailure } from '../models/model-failure.js';

/**
 * The signal of one attempt. It fires when the caller's signal fires, or with a ModelFailure if the model is too slow. Time in which the
 * reader does not ask for more counts against the total limit only, not against the model's pauses. The owner must close it.
 */
export class Deadline {
  private readonly controller = new AbortController();
  private readonly follow = () => this.controller.abort(this.caller.reason);
  private readonly total: NodeJS.Timeout;
  private pause: NodeJS.Timeout;
  private hasStarted = false;
  private isAwaited = true;

  /**
   * @param firstMs milliseconds to the first sign of life
   * @param idleMs milliseconds between two signs of life
   * @param endsAt performance.now() at which the whole call must end
   */
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

  /** The reader waits for the model's next token. */
  await(): void {
    this.isAwaited = true;
    if (this.hasStarted) this.pause.refresh();
  }

  /** The model sent something. */
  tokenArrived(): void {
    this.isAwaited = false;
    if (this.hasStarted) return;
    this.hasStarted = true;
    clearTimeout(this.pause);
    this.pause = setTimeout(() => {
      if (this.isAwaited) this.controller.abort(new ModelFailure('too_slow'));
    }, this.idleMs);
  }

  /** Aborts everything that still runs under the signal. */
  close(): void {
    clearTimeout(this.total);
    clearTimeout(this.pause);
    this.caller.removeEventListener('abort', this.follow);
    this.controller.abort(new Error('the call is over'));
  }
}
