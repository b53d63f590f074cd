import { intersect, type Box } from './box.js';

export type Brush = CanvasRenderingContext2D;

/** Something to draw. */
export interface Item {
  box: Box;
  draw(brush: Brush): void;
  /** For moving pictures: whether there is a new frame since the last drawing. */
  hasNews?(): boolean;
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
    if (!picture.hasNews) return [];
    const above = items.slice(index + 1).filter(({ box }) => intersect(box, picture.box));
    return [{ picture, above }];
  });
  return { ground, items, moving };
}

export function drawAll(scene: Scene, brush: Brush, { width, height }: { width: number; height: number }): void {
  brush.globalAlpha = 1;
  brush.fillStyle = scene.ground;
  brush.fillRect(0, 0, width, height);
  for (const item of scene.items) item.draw(brush);
}

export function drawNews(scene: Scene, brush: Brush): void {
  // A canvas without any drawing yields no frame, and the film of a quiet class would have gaps.
  brush.globalAlpha = 1;
  brush.fillStyle = scene.ground;
  brush.fillRect(0, 0, 1, 1);
  for (const { picture, above } of scene.moving) {
    if (!picture.hasNews?.()) continue;
    brush.save();
    // Clips the items above to the picture: outside of it they stay as they are, because a translucent box drawn twice becomes opaque.
    brush.beginPath();
    brush.rect(picture.box.x, picture.box.y, picture.box.width, picture.box.height);
    brush.clip();
    picture.draw(brush);
    for (const item of above) item.draw(brush);
    brush.restore();
  }
}
