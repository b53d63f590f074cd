import { Painter } from './painter.js';
import { DRAWN, type CaptureOptions } from './protocol.js';
import { Ticker } from './ticker.js';

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
