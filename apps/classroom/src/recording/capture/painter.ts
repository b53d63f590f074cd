import { readScene } from './read-scene.js';
import { drawAll, drawNews, type Brush, type Scene } from './scene.js';

/** Draws the page onto a canvas: the whole page if it changed, otherwise only the moving pictures. */
export class Painter {
  readonly canvas: HTMLCanvasElement;
  private readonly brush: Brush;
  private scene: Scene | undefined;

  /** @throws Error if the browser provides no canvas context */
  constructor(
    private readonly root: HTMLElement,
    width: number,
    height: number,
  ) {
    this.canvas = document.createElement('canvas');
    Object.assign(this.canvas, { width, height });
    const brush = this.canvas.getContext('2d', { alpha: false });
    if (!brush) throw new Error('the browser gives no canvas');
    brush.imageSmoothingQuality = 'low';
    this.brush = brush;
  }

  /** `hasChanged`: whether the page may look different since it was last read. */
  frame(hasChanged: boolean): void {
    if (hasChanged || !this.scene) {
      this.scene = readScene(this.root);
      drawAll(this.scene, this.brush, this.canvas);
    } else drawNews(this.scene, this.brush);
  }
}
