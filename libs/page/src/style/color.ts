export type Rgb = [number, number, number];

const CONTRAST = 4.5;
/** What the accent is text on: the page, and the raised surface of panels and menus. In tokens.css, `--ground`, `--raised` and `--text`. */
const THEMES = {
  light: { surfaces: ['#f6f7f9', '#ffffff'], text: '#14171c' },
  dark: { surfaces: ['#0f1115', '#1a1d24'], text: '#f2f4f7' },
};
export type Theme = keyof typeof THEMES;
/** The shares of `--hover` and `--accent-soft`, which lie over a surface. */
const HOVER = 0.08;
const SOFT = 0.14;
const STEPS = 20;

/** Sets the organization's accent color, moved towards black or white until it is readable on each theme's surfaces. */
export function applyAccent(root: HTMLElement, accent: string | null): void {
  const color = parseHex(accent ?? '');
  if (!color) return;
  for (const theme of ['light', 'dark'] as const) {
    const readable = readableAccent(color, theme);
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

/** The accent, moved towards black or white until it is readable as text wherever a theme has it as text. */
export function readableAccent(color: Rgb, theme: Theme): Rgb {
  const target: Rgb = theme === 'light' ? [0, 0, 0] : [255, 255, 255];
  for (let step = 0; step < STEPS; step += 1) {
    const moved = mix(color, target, step / STEPS);
    if (surfacesOf(theme, moved).every((surface) => contrast(moved, surface) >= CONTRAST)) return moved;
  }
  return target;
}

/** Everything that an accent is text on in a theme: its surfaces, also hovered, and filled softly with the accent itself. */
export function surfacesOf(theme: Theme, accent: Rgb): Rgb[] {
  const { surfaces, text } = THEMES[theme];
  return surfaces.map(colorOf).flatMap((surface) => [surface, mix(surface, colorOf(text), HOVER), mix(surface, accent, SOFT)]);
}

const mix = (from: Rgb, to: Rgb, share: number) => from.map((value, i) => Math.round(value + ((to[i] ?? 0) - value) * share)) as Rgb;
const colorOf = (hex: string): Rgb => parseHex(hex) ?? [0, 0, 0];

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
