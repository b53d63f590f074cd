import { contained, movedBy, toPlace, toScreenPoint } from './screen-place.js';

describe('a pointer over the shared screen', () => {
  it('is at the same point of the picture, whatever is left and right or above and below of it', () => {
    const picture = { width: 1_600, height: 900 };
    for (const box of [
      { width: 800, height: 800 },
      { width: 1_000, height: 200 },
    ]) {
      const place = contained(picture, box)!;
      expect(place.width / place.height).toBeCloseTo(16 / 9);
      expect([place.left * 2 + place.width, place.top * 2 + place.height]).toEqual([box.width, box.height]);
      const { left, top } = toPlace({ x: 0.25, y: 0.75 }, place);
      const point = toScreenPoint(left, top, place);
      expect([point?.x, point?.y]).toEqual([expect.closeTo(0.25), expect.closeTo(0.75)]);
      expect([toScreenPoint(place.left - 1, top, place), toScreenPoint(left, place.top + place.height + 1, place)]).toEqual([
        undefined,
        undefined,
      ]);
    }
  });

  it('is nowhere before the picture is there', () => {
    expect(contained({ width: 0, height: 0 }, { width: 100, height: 100 })).toBeUndefined();
    expect(contained({ width: 16, height: 9 }, { width: 0, height: 0 })).toBeUndefined();
  });

  it('stays on the picture, also one from a page that says something else', () => {
    const place = { left: 10, top: 20, width: 100, height: 50 };
    expect([toPlace({ x: -3, y: 7 }, place), toPlace({ x: 1, y: 0 }, place)]).toEqual([
      { left: 10, top: 70 },
      { left: 110, top: 20 },
    ]);
  });

  it('moves by arrow keys, with Shift in larger steps, to the edge', () => {
    const middle = { x: 0.5, y: 0.5 };
    expect([
      movedBy(middle, 'ArrowRight', false),
      movedBy(middle, 'ArrowUp', true),
      movedBy({ x: 0.01, y: 0 }, 'ArrowLeft', false),
    ]).toEqual([
      { x: 0.52, y: 0.5 },
      { x: 0.5, y: 0.4 },
      { x: 0, y: 0 },
    ]);
    expect([movedBy(middle, 'a', false), movedBy(middle, 'Escape', false)]).toEqual([undefined, undefined]);
  });
});
