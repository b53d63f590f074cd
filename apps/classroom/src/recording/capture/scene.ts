import { intersect, type Box } from './box.js';

export type CanvasContext = CanvasRenderingContext2D;

/** Something to draw. */
export interface Item {
  box: Box;
  draw(context: CanvasContext): void;
  /** For moving pictures: whether there is a new frame since the last drawing. */
  hasNewFrame?(): boolean;
}

/** A moving picture, and the items above it, which must be drawn again with it. */
interface Layer {
  picture: Item;
  above: Item[];
}

/** The items of the page in painting order. */
export interface Scene {
  ground: string;
  items: Item[];
  moving: Layer[];
}

export function compose(ground: string, items: Item[]): Scene {
  const moving = items.flatMap((picture, index) => {
    if (!picture.hasNewFrame) return [];
    const above = items.slice(index + 1).filter(({ box }) => intersect(box, picture.box));
    return [{ picture, above }];
  });
  return { ground, items, moving };
}

export function drawAll(scene: Scene, context: CanvasContext, { width, height }: { width: number; height: number }): void {
  context.globalAlpha = 1;
  context.fillStyle = scene.ground;
  context.fillRect(0, 0, width, height);
  for (const item of scene.items) item.draw(context);
}

export function drawNewFrames(scene: Scene, context: CanvasContext): void {
  // A canvas without any drawing yields no frame, and the film of a quiet class would have gaps.
  context.globalAlpha = 1;
  context.fillStyle = scene.ground;
  context.fillRect(0, 0, 1, 1);
  for (const { picture, above } of scene.moving) {
    if (!picture.hasNewFrame?.()) continue;
    context.save();
    // Clips the items above to the picture: outside of it they stay as they are, because a translucent box drawn twice becomes opaque.
    context.beginPath();
    context.rect(picture.box.x, picture.box.y, picture.box.width, picture.box.height);
    context.clip();
    picture.draw(context);
    for (const item of above) item.draw(context);
    context.restore();
  }
}
