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

/** A rectangle of the picture in CSS pixels, which equal the canvas's pixels. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export const intersect = (a: Box, b: Box) => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

export const grow = (box: Box, by: number): Box => ({
  x: box.x - by,
  y: box.y - by,
  width: box.width + 2 * by,
  height: box.height + 2 * by,
});

export interface Placement {
  source: Box;
  target: Box;
}

/** Which part of a picture is drawn where in the box, by `object-fit`. Undefined if the picture or the box has no size yet. */
export function placeInBox(width: number, height: number, box: Box, fit: string): Placement | undefined {
  if (width <= 0 || height <= 0 || box.width <= 0 || box.height <= 0) return undefined;
  const [across, down] = [box.width / width, box.height / height] as const;
  if (fit === 'cover') {
    const scale = Math.max(across, down);
    const shown = { width: box.width / scale, height: box.height / scale };
    return { source: { x: (width - shown.width) / 2, y: (height - shown.height) / 2, ...shown }, target: box };
  }
  const source = { x: 0, y: 0, width, height };
  if (fit !== 'contain') return { source, target: box };
  const scale = Math.min(across, down);
  const size = { width: width * scale, height: height * scale };
  const target = { x: box.x + (box.width - size.width) / 2, y: box.y + (box.height - size.height) / 2, ...size };
  return { source, target };
}
