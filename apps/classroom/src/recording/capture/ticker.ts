/** Calls `onTick` `fps` times a second until it is stopped. Ticks that have piled up cause one call; the others count as skipped. */
export class Ticker {
  skipped = 0;
  private pending = 0;
  private readonly worker: Worker;
  /**
   * Its message arrives after all ticks that are already queued. Ticks count as piled up if a newer one is queued, however late
   * they are.
   */
  private readonly channel = new MessageChannel();

  constructor(fps: number, onTick: (now: number) => void) {
    this.channel.port1.addEventListener('message', () => {
      this.skipped += this.pending - 1;
      this.pending = 0;
      onTick(performance.now());
    });
    this.channel.port1.start();
    this.worker = new Worker(new URL('./ticker.worker.ts', import.meta.url), { type: 'module', name: String(fps) });
    this.worker.addEventListener('message', () => {
      this.pending += 1;
      if (this.pending === 1) this.channel.port2.postMessage(undefined);
    });
  }

  stop(): void {
    this.worker.terminate();
    this.channel.port1.close();
  }
}
