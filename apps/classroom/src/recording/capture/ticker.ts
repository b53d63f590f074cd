/** Calls `onTick` `fps` times a second until it is stopped. Ticks that have piled up cause one call; the others count as skipped. */
export class Ticker {
  skipped = 0;
  private waiting = 0;
  private readonly worker: Worker;
  /**
   * Its message arrives after all ticks that are already queued. Ticks count as piled up if a newer one is queued, however late
   * they are.
   */
  private readonly turn = new MessageChannel();

  constructor(fps: number, onTick: (now: number) => void) {
    this.turn.port1.addEventListener('message', () => {
      this.skipped += this.waiting - 1;
      this.waiting = 0;
      onTick(performance.now());
    });
    this.turn.port1.start();
    this.worker = new Worker(new URL('./ticker.worker.ts', import.meta.url), { type: 'module', name: String(fps) });
    this.worker.addEventListener('message', () => {
      this.waiting += 1;
      if (this.waiting === 1) this.turn.port2.postMessage(undefined);
    });
  }

  stop(): void {
    this.worker.terminate();
    this.turn.port1.close();
  }
}
