import type { Quality } from './source.js';

interface Level {
  width?: number;
  height?: number;
  bitrate: number;
}

/**
 * The qualities, best first. Each is named by its shorter side, whatever the orientation; without a picture, or if two have the
 * same name, with its bit rate.
 */
export function toQualities(levels: readonly Level[]): Quality[] {
  const named = levels.map((level, id) => ({ id, level, name: nameOf(level) }));
  const isDuplicate = (name: string) => named.filter((other) => other.name === name).length > 1;
  return named
    .toSorted((a, b) => b.level.bitrate - a.level.bitrate)
    .map(({ id, level, name }) => ({
      id,
      label: name && !isDuplicate(name) ? name : `${name} ${Math.round(level.bitrate / 1000)} kbit/s`.trim(),
    }));
}

function nameOf({ width = 0, height = 0 }: Level): string {
  const side = Math.min(width, height);
  return side > 0 ? `${side}p` : '';
}
