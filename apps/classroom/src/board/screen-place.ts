import type { Size } from '../stage/tile-layout.js';

export interface Place {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** Where a picture is in a box that shows all of it, in pixels of the box. Undefined before it has a size. */
export function contained(picture: Size, box: Size): Place | undefined {
  if (picture.width === 0 || picture.height === 0 || box.width === 0 || box.height === 0) return undefined;
  const scale = Math.min(box.width / picture.width, box.height / picture.height);
  const [width, height] = [picture.width * scale, picture.height * scale];
  return { left: (box.width - width) / 2, top: (box.height - height) / 2, width, height };
}

export interface ScreenPoint {
  /** From 0 (left) to 1. */
  x: number;
  /** From 0 (top) to 1. */
  y: number;
}

const within = (value: number) => Math.min(1, Math.max(0, value));

/** The point of the picture at a place of the box. Undefined outside of the picture. */
export function toScreenPoint(left: number, top: number, place: Place): ScreenPoint | undefined {
  const [x, y] = [(left - place.left) / place.width, (top - place.top) / place.height];
  return x >= 0 && x <= 1 && y >= 0 && y <= 1 ? { x, y } : undefined;
}

export const toPlace = ({ x, y }: ScreenPoint, place: Place) => ({
  left: place.left + within(x) * place.width,
  top: place.top + within(y) * place.height,
});

const STEPS: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};
const [SMALL_STEP, LARGE_STEP] = [0.02, 0.1];

/** Where an arrow key moves a pointer, with Shift in larger steps. Undefined for other keys. */
export function movedBy({ x, y }: ScreenPoint, key: string, isLarge: boolean): ScreenPoint | undefined {
  const [right, down] = STEPS[key] ?? [];
  if (right === undefined || down === undefined) return undefined;
  const step = isLarge ? LARGE_STEP : SMALL_STEP;
  return { x: within(x + right * step), y: within(y + down * step) };
}
