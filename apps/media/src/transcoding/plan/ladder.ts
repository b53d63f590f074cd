/** Short sides: a portrait of 1080×1920 is a 1080p too. */
const RUNGS = [240, 360, 480, 720, 1080];
const TOP = 1080;
/** kbit/s of a 16:9 picture at up to 30 frames a second. */
const KBPS: readonly (readonly [side: number, kbps: number])[] = [
  [144, 200],
  [240, 400],
  [360, 800],
  [480, 1_400],
  [720, 2_800],
  [1080, 5_000],
];
/** A rung this near below the top one would be another copy of it. */
const APART = 0.9;

export interface Size {
  width: number;
  height: number;
}

export interface Rung extends Size {
  name: string;
  /** At most, over any two seconds. */
  kbps: number;
}

/** Lowest first. @param size as it is shown: turned, and with square pixels @param fps frames a second of what is made */
export function ladderOf(size: Size, fps: number): Rung[] {
  const own = Math.max(2, even(Math.min(shortSide(size), TOP)));
  const sides = [...RUNGS.filter((side) => side < own * APART), own];
  return sides.map((side) => {
    const scaled = scaleTo(size, side);
    return { ...scaled, name: `${side}p`, kbps: kbpsOf(scaled, fps) };
  });
}

const shortSide = ({ width, height }: Size) => Math.min(width, height);
/** H.264's colours have half the picture's resolution. */
const even = (pixels: number) => Math.floor(pixels / 2) * 2;

function scaleTo(size: Size, side: number): Size {
  const factor = side / shortSide(size);
  const long = Math.max(2, Math.round((Math.max(size.width, size.height) * factor) / 2) * 2);
  return size.width >= size.height ? { width: long, height: side } : { width: side, height: long };
}

function kbpsOf(size: Size, fps: number): number {
  const side = shortSide(size);
  // More frames in a second differ less from each other: twice as many take half as much again.
  const motion = 1 + Math.max(0, Math.min(fps, 60) - 30) / 60;
  const shape = Math.min(1.5, Math.max(0.6, (size.width * size.height) / (side * side * (16 / 9))));
  return Math.round(between(side) * motion * shape);
}

function between(side: number): number {
  const above = KBPS.findIndex(([known]) => known >= side);
  const [from, to] = [KBPS[above - 1], KBPS[above]];
  if (!to) return KBPS.at(-1)?.[1] ?? 0;
  if (!from) return to[1];
  return from[1] + ((to[1] - from[1]) * (side - from[0])) / (to[0] - from[0]);
}
