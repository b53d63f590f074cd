export type Rgb = [number, number, number];

const CONTRAST = 4.5;
const BACKGROUNDS = { light: '#f6f7f9', dark: '#0f1115' };
const STEPS = 20;

/** Sets the organization's accent color, moved towards black or white until it is readable on each theme's background. */
export function applyAccent(root: HTMLElement, accent: string | null): void {
  const color = parseHex(accent ?? '');
  if (!color) return;
  for (const [theme, background] of Object.entries(BACKGROUNDS)) {
    const readable = ensureContrast(color, parseHex(background) ?? [0, 0, 0]);
    root.style.setProperty(`--accent-${theme}`, toCss(readable));
    root.style.setProperty(`--on-accent-${theme}`, lettersOn(readable));
  }
}

/** The color of letters on a color: white or nearly black, or black where neither is readable. */
export const lettersOn = (color: Rgb): string =>
  ['#ffffff', '#14171c'].find((letters) => contrast(parseHex(letters) ?? [0, 0, 0], color) >= CONTRAST) ?? '#000000';

/** The hue behind a person's initials, in degrees; always the same for the same person. */
export function hueOf(uid: string): number {
  let hash = 0;
  // Mixes well at each step: uids in a class often differ by one digit only.
  for (const letter of uid) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x9e3779b1);
  return (hash >>> 8) % 360;
}

/** Dark enough for white letters at any hue. */
export const avatarColor = (hue: number): string => `hsl(${hue} 38% 34%)`;

export function ensureContrast(color: Rgb, background: Rgb): Rgb {
  const target: Rgb = luminance(background) > 0.18 ? [0, 0, 0] : [255, 255, 255];
  for (let step = 0; step <= STEPS; step += 1) {
    const moved = color.map((value, i) => Math.round(value + ((target[i] ?? 0) - value) * (step / STEPS))) as Rgb;
    if (contrast(moved, background) >= CONTRAST) return moved;
  }
  return target;
}

export function contrast(a: Rgb, b: Rgb): number {
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
}

/** The relative luminance of WCAG, 0 to 1. */
function luminance(color: Rgb): number {
  const [r = 0, g = 0, b = 0] = color.map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

export function parseHex(hex: string): Rgb | undefined {
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/i.exec(hex);
  const long = short ? undefined : /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(hex);
  const parts = (short ?? long)?.slice(1);
  return parts?.map((part) => parseInt(part.padEnd(2, part), 16)) as Rgb | undefined;
}

const toCss = ([r, g, b]: Rgb) => `rgb(${r} ${g} ${b})`;
