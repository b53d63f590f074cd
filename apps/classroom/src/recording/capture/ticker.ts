/** Calls `onTick` so many times a second until it is stopped; where ticks have piled up, once for all of them, and counts the rest. */
export class Ticker {
  skipped = 0;
  private waiting = 0;
  private readonly worker: Worker;
  /** A turn behind whatever ticks are there already: how late they are says nothing, only whether a newer one waits. */
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
