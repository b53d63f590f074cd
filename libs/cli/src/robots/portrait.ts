export const [WIDTH, HEIGHT] = [320, 180];
const LUMA = WIDTH * HEIGHT;
const [CENTER_X, CENTER_Y, RADIUS] = [160, 90, 62];
const [BACKGROUND, FACE, DARK] = [70, 190, 40];
/** Degrees between the colors of two robots: no two of the first hundred are the same. */
const GOLDEN_ANGLE = 137.5;

/** A face in front of a color of its own, whose mouth opens with its voice. */
export class Portrait {
  private readonly still: Uint8Array;

  /** @param number from 0 */
  constructor(number: number) {
    this.still = new Uint8Array((LUMA * 3) / 2).fill(BACKGROUND, 0, LUMA);
    const hue = (number * GOLDEN_ANGLE * Math.PI) / 180;
    this.still.fill(128 + 60 * Math.cos(hue), LUMA, (LUMA * 5) / 4).fill(128 + 60 * Math.sin(hue), (LUMA * 5) / 4);
    ellipse(this.still, { x: CENTER_X, y: CENTER_Y, width: RADIUS, height: RADIUS, light: FACE });
    for (const side of [-24, 24]) ellipse(this.still, { x: CENTER_X + side, y: CENTER_Y - 18, width: 7, height: 9, light: DARK });
  }

  /** A picture in I420. @param level how far the mouth is open, 0 to 1 */
  frame(level: number): Uint8Array {
    const picture = this.still.slice();
    ellipse(picture, { x: CENTER_X, y: CENTER_Y + 26, width: 22, height: 2 + 14 * level, light: DARK });
    return picture;
  }
}

interface Ellipse {
  x: number;
  y: number;
  /** Half of it, as `height`. */
  width: number;
  height: number;
  light: number;
}

function ellipse(picture: Uint8Array, { x, y, width, height, light }: Ellipse): void {
  for (let row = Math.ceil(y - height); row <= y + height; row += 1) {
    const half = width * Math.sqrt(Math.max(0, 1 - ((row - y) / height) ** 2));
    picture.fill(light, row * WIDTH + Math.round(x - half), row * WIDTH + Math.round(x + half));
  }
}
