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
