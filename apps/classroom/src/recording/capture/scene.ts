import { intersect, type Box } from './box.js';

export type Brush = CanvasRenderingContext2D;

/** Something that is drawn. */
export interface Item {
  box: Box;
  draw(brush: Brush): void;
  /** Of a moving picture: whether it shows something new since it was last drawn. */
  hasNews?(): boolean;
}

/** A moving picture, and what lies over it and has to be drawn again with it. */
interface Layer {
  picture: Item;
  above: Item[];
}

/** The page as it is to be drawn, in painting order. */
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
  // A canvas that nothing was drawn on gives no frame, and a film of a quiet class would have holes.
  brush.globalAlpha = 1;
  brush.fillStyle = scene.ground;
  brush.fillRect(0, 0, 1, 1);
  for (const { picture, above } of scene.moving) {
    if (!picture.hasNews?.()) continue;
    brush.save();
    // What reaches out of the picture stays there as it is: a translucent box drawn on itself would grow opaque.
    brush.beginPath();
    brush.rect(picture.box.x, picture.box.y, picture.box.width, picture.box.height);
    brush.clip();
    picture.draw(brush);
    for (const item of above) item.draw(brush);
    brush.restore();
  }
}
