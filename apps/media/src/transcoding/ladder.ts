/** Short sides in pixels: a portrait of 1080×1920 is also 1080p. */
const RUNGS = [240, 360, 480, 720, 1080];
const TOP = 1080;
/** kbit/s for a 16:9 picture with up to 30 frames per second. */
const KBPS: readonly (readonly [side: number, kbps: number])[] = [
  [144, 200],
  [240, 400],
  [360, 800],
  [480, 1_400],
  [720, 2_800],
  [1080, 5_000],
];
/** A rung must be smaller than this share of the top one, otherwise it would be nearly the same picture. */
const MAX_SHARE_OF_TOP = 0.9;

export interface Size {
  width: number;
  height: number;
}

export interface Rung extends Size {
  name: string;
  /** Maximum over any two seconds. */
  kbps: number;
}

/** Lowest first. @param size as displayed: rotated, and with square pixels @param fps frames per second of the output */
export function ladderOf(size: Size, fps: number): Rung[] {
  const topSide = Math.max(2, even(Math.min(shortSide(size), TOP)));
  const sides = [...RUNGS.filter((side) => side < topSide * MAX_SHARE_OF_TOP), topSide];
  return sides.map((side) => {
    const scaled = scaleTo(size, side);
    return { ...scaled, name: `${side}p`, kbps: kbpsOf(scaled, fps) };
  });
}

const shortSide = ({ width, height }: Size) => Math.min(width, height);
/** H.264 stores colours at half the picture's resolution, so sides must be even. */
const even = (pixels: number) => Math.floor(pixels / 2) * 2;

function scaleTo(size: Size, side: number): Size {
  const factor = side / shortSide(size);
  const long = Math.max(2, Math.round((Math.max(size.width, size.height) * factor) / 2) * 2);
  return size.width >= size.height ? { width: long, height: side } : { width: side, height: long };
}

function kbpsOf(size: Size, fps: number): number {
  const side = shortSide(size);
  // With more frames per second, consecutive frames differ less: twice as many frames take 1.5 times the bits.
  const motion = 1 + Math.max(0, Math.min(fps, 60) - 30) / 60;
  const shape = Math.min(1.5, Math.max(0.6, (size.width * size.height) / (side * side * (16 / 9))));
  return Math.round(interpolateKbps(side) * motion * shape);
}

function interpolateKbps(side: number): number {
  const above = KBPS.findIndex(([known]) => known >= side);
  const [from, to] = [KBPS[above - 1], KBPS[above]];
  if (!to) return KBPS.at(-1)?.[1] ?? 0;
  if (!from) return to[1];
  return from[1] + ((to[1] - from[1]) * (side - from[0])) / (to[0] - from[0]);
}
