import { readScene } from './read-scene.js';
import { drawAll, drawNewFrames, type CanvasContext, type Scene } from './scene.js';

/** Draws the page onto a canvas: the whole page if it changed, otherwise only the moving pictures. */
export class Painter {
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
