import { contrast, hueOf, nudge, parse } from './color.js';

const rgb = (hex: string) => parse(hex) ?? [0, 0, 0];

describe('the accent', () => {
  it.each(['#ffffff', '#000000', '#ff0', '#777777', '#2457d6', '#ff6600'])('reads on both grounds, whatever was given: %s', (given) => {
    for (const ground of ['#f6f7f9', '#0f1115']) {
      expect(contrast(nudge(rgb(given), rgb(ground)), rgb(ground))).toBeGreaterThanOrEqual(4.5);
    }
  });

  it('stays as it was given where it reads already', () => {
    expect(nudge(rgb('#2457d6'), rgb('#f6f7f9'))).toEqual(rgb('#2457d6'));
  });

  it('is left alone where it is no color', () => {
    expect([parse('red'), parse('#12'), parse('')]).toEqual([undefined, undefined, undefined]);
  });
});

it('gives a person the same hue each time', () => {
  expect(hueOf('ada')).toBe(hueOf('ada'));
  expect(hueOf('ada')).not.toBe(hueOf('bob'));
});
