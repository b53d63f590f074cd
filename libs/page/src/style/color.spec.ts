import { contrast, hueOf, ensureContrast, lettersOn, parseHex } from './color.js';

const rgb = (hex: string) => parseHex(hex) ?? [0, 0, 0];

describe('the accent color', () => {
  it.each(['#ffffff', '#000000', '#ff0', '#777777', '#2457d6', '#ff6600'])('is readable on both backgrounds: %s', (given) => {
    for (const background of ['#f6f7f9', '#0f1115']) {
      expect(contrast(ensureContrast(rgb(given), rgb(background)), rgb(background))).toBeGreaterThanOrEqual(4.5);
    }
  });

  it('is unchanged if it is readable', () => {
    expect(ensureContrast(rgb('#2457d6'), rgb('#f6f7f9'))).toEqual(rgb('#2457d6'));
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
