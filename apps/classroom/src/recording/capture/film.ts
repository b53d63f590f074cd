import { LayoutObserver } from './layout-observer.js';
import { Painter } from './painter.js';
import type { CaptureOptions } from './protocol.js';
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
