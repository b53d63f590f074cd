/** Calls `onTick` so many times a second until it is stopped; a call that comes later than one frame is left out and counted. */
export class Ticker {
  skipped = 0;
  private readonly worker: Worker;

  constructor(fps: number, onTick: (now: number) => void) {
    this.worker = new Worker(new URL('./ticker.worker.ts', import.meta.url), { type: 'module', name: String(fps) });
    this.worker.addEventListener('message', ({ data: saidAt }: MessageEvent<number>) => {
      const now = performance.now();
      if (performance.timeOrigin + now - saidAt > 1000 / fps) this.skipped += 1;
      else onTick(now);
    });
  }

  stop(): void {
    this.worker.terminate();
  }
}
