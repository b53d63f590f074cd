import { contrast, hueOf, lettersOn, parseHex, readableAccent, surfacesOf } from './color.js';

const rgb = (hex: string) => parseHex(hex) ?? [0, 0, 0];

describe('the accent color', () => {
  it.each(['#ffffff', '#000000', '#ff0', '#777777', '#2457d6', '#2e7d5b', '#ff6600', '#0000ff', '#c2185b'])(
    'is readable on every surface of both themes, also where it is hovered or filled with the accent: %s',
    (given) => {
      for (const theme of ['light', 'dark'] as const) {
        const accent = readableAccent(rgb(given), theme);
        for (const surface of surfacesOf(theme, accent)) expect(contrast(accent, surface)).toBeGreaterThanOrEqual(4.5);
      }
    },
  );

  it('is unchanged if it is readable', () => {
    expect(readableAccent(rgb('#2457d6'), 'light')).toEqual(rgb('#2457d6'));
    expect(readableAccent(rgb('#7aa2ff'), 'dark')).toEqual(rgb('#7aa2ff'));
  });

  it.each(['#ffffff', '#000000', '#5079de', '#777777', '#808080', '#2457d6', '#7aa2ff'])('has readable letters on it: %s', (given) => {
    expect(contrast(rgb(lettersOn(rgb(given))), rgb(given))).toBeGreaterThanOrEqual(4.5);
  });

  it('is ignored if it is not a color', () => {
    expect([parseHex('red'), parseHex('#12'), parseHex('')]).toEqual([undefined, undefined, undefined]);
  });
});

it('gives a person the same hue each time', () => {
  expect(hueOf('ada')).toBe(hueOf('ada'));
  expect(hueOf('ada')).not.toBe(hueOf('bob'));
});
