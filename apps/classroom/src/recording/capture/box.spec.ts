import { intersect, placeInBox } from './box.js';

const box = { x: 10, y: 20, width: 160, height: 90 };

describe('the place of a picture in its box', () => {
  it('covers the box and crops the rest', () => {
    expect(placeInBox(100, 100, box, 'cover')).toEqual({ source: { x: 0, y: 21.875, width: 100, height: 56.25 }, target: box });
  });
  it('contains the whole picture, centered', () => {
    expect(placeInBox(100, 100, box, 'contain')).toEqual({
      source: { x: 0, y: 0, width: 100, height: 100 },
      target: { x: 45, y: 20, width: 90, height: 90 },
    });
  });
  it('fills the box', () => expect(placeInBox(100, 100, box, 'fill')?.target).toBe(box));
  it('is undefined before the first frame', () => expect(placeInBox(0, 0, box, 'cover')).toBeUndefined());
});

it('boxes that only touch do not intersect', () => {
  expect(intersect(box, { ...box, x: 170 })).toBe(false);
  expect(intersect(box, { ...box, x: 169 })).toBe(true);
});
