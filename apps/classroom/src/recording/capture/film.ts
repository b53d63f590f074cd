import { DRAWN, type CaptureOptions } from './protocol.js';
import { drawAll, drawNewFrames, type CanvasContext, type Scene } from './scene.js';
import { readScene } from './read-scene.js';

/** Draws the page onto a canvas: the whole page if it changed, otherwise only the moving pictures. */
class Painter {
  readonly canvas: HTMLCanvasElement;
  private readonly context: CanvasContext;
  private scene: Scene | undefined;

  /** @throws Error if the browser provides no canvas context */
  constructor(
    private readonly root: HTMLElement,
    width: number,
    height: number,
  ) {
    this.canvas = document.createElement('canvas');
    Object.assign(this.canvas, { width, height });
    const context = this.canvas.getContext('2d', { alpha: false });
    if (!context) throw new Error('the browser gives no canvas');
    context.imageSmoothingQuality = 'low';
    this.context = context;
  }

  /** `hasChanged`: whether the page may look different since it was last read. */
  drawFrame(hasChanged: boolean): void {
    if (hasChanged || !this.scene) {
      this.scene = readScene(this.root);
      drawAll(this.scene, this.context, this.canvas);
    } else drawNewFrames(this.scene, this.context);
  }
}

/** Calls `onTick` `fps` times a second until it is stopped. Ticks that have piled up cause one call; the others count as skipped. */
class Ticker {
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

/** The picture of the page as a track, with one frame a tick. */
export class Film {
  frames = 0;
  readonly track: CanvasCaptureMediaStreamTrack;
  private readonly painter: Painter;
  private readonly layout: LayoutObserver;
  private ticker: Ticker | undefined;

  /** @throws Error if the browser does not support it */
  constructor(
    root: HTMLElement,
    private readonly options: Pick<CaptureOptions, 'width' | 'height' | 'fps'>,
  ) {
    this.painter = new Painter(root, options.width, options.height);
    this.layout = new LayoutObserver(root);
    const [track] = this.painter.canvas.captureStream(0).getVideoTracks() as CanvasCaptureMediaStreamTrack[];
    if (!track) throw new Error('the browser gives no picture to record');
    this.track = track;
  }

  get skipped(): number {
    return this.ticker?.skipped ?? 0;
  }

  start(): void {
    // The browser need not paint the page on the screen. The layout and the playing videos stay as they were.
    document.documentElement.style.opacity = '0';
    this.ticker = new Ticker(this.options.fps, (now) => {
      this.painter.drawFrame(this.layout.consumeChange(now));
      this.track.requestFrame();
      this.frames += 1;
    });
  }

  stop(): void {
    this.ticker?.stop();
    this.layout.stop();
  }
}

/** The shortest time between two reads of the page, in milliseconds: a read takes some milliseconds. */
const MIN_READ_INTERVAL_MS = 100;
/** The page is read at least this often, in milliseconds: the observers miss late style sheets and media queries. */
const MAX_READ_INTERVAL_MS = 5_000;
const EVENTS = ['load', 'resize', 'transitionend', 'animationend', 'loadeddata', 'emptied', DRAWN] as const;

/** Reports whether the page may look different since the last call. */
export class LayoutObserver {
  private isDirty = true;
  private readAt = -Infinity;
  private readonly mutations = new MutationObserver(() => this.markDirty());
  private readonly sizes = new ResizeObserver(() => this.markDirty());

  constructor(root: HTMLElement) {
    this.mutations.observe(root, { subtree: true, childList: true, characterData: true, attributes: true });
    this.sizes.observe(root);
    // In the capture phase, because most of these events do not bubble.
    for (const name of EVENTS) document.addEventListener(name, this.markDirty, { capture: true });
    void document.fonts.ready.then(this.markDirty);
  }

  /** `now`: milliseconds. Returns true once for each change. */
  consumeChange(now: number): boolean {
    const isDue = this.isDirty ? now - this.readAt >= MIN_READ_INTERVAL_MS : now - this.readAt >= MAX_READ_INTERVAL_MS;
    if (!isDue) return false;
    this.isDirty = false;
    this.readAt = now;
    return true;
  }

  stop(): void {
    this.mutations.disconnect();
    this.sizes.disconnect();
    for (const name of EVENTS) document.removeEventListener(name, this.markDirty, { capture: true });
  }

  private readonly markDirty = (): void => {
    this.isDirty = true;
  };
}
