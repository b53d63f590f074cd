import { layoutGrid, fitAspect, layoutFocus, GAP, pageSizeOf, type Rect } from './tile-layout.js';

const overlap = (a: Rect, b: Rect) => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
const isInside = ({ x, y, width, height }: Rect, w: number, h: number) => x >= 0 && y >= 0 && x + width <= w && y + height <= h;

describe('the grid', () => {
  it.each([
    [1, 1280, 720, 1280],
    [2, 1280, 720, 636],
    [4, 1280, 720, 632],
    [2, 390, 700, 390],
    [9, 1280, 720, 417],
  ])('gives %i tiles on %i × %i a width of %i', (n, width, height, tile) => {
    expect(layoutGrid(n, width, height)[0]?.width).toBe(tile);
  });

  it.each([1, 2, 3, 5, 7, 9, 12, 25, 49])('shows %i tiles in full, 16:9 and without overlap, at any size', (n) => {
    for (const [width, height] of [
      [1920, 1080],
      [1024, 500],
      [390, 700],
      [700, 390],
    ] as const) {
      const tiles = layoutGrid(n, width, height);
      expect(tiles).toHaveLength(n);
      for (const [i, tile] of tiles.entries()) {
        expect(isInside(tile, width, height)).toBe(true);
        expect(Math.abs(tile.width / tile.height - 16 / 9)).toBeLessThan(0.05);
        expect(tiles.slice(i + 1).some((other) => overlap(tile, other))).toBe(false);
      }
    }
  });

  it('keeps the gap between neighbours and centers a short last row', () => {
    const [a, b, c] = layoutGrid(3, 1280, 720);
    expect((b?.x ?? 0) - (a?.x ?? 0) - (a?.width ?? 0)).toBe(GAP);
    expect(c?.x).toBe((1280 - (c?.width ?? 0)) / 2);
  });

  it('accepts a stage without space', () => {
    expect(layoutGrid(3, 0, 0).every(({ width, height }) => width === 0 && height === 0)).toBe(true);
    expect(layoutGrid(0, 800, 600)).toEqual([]);
  });
});

describe('the focus view', () => {
  it('gives a single tile the whole stage', () => {
    expect(layoutFocus(0, 800, 600)).toEqual({ main: { x: 0, y: 0, width: 800, height: 600 }, strip: [] });
  });

  it('puts the strip below on a tall stage, and at the end on a wide one', () => {
    const phone = layoutFocus(8, 390, 600);
    expect(phone.main).toEqual({ x: 0, y: 0, width: 390, height: 219 });
    expect(phone.strip).toHaveLength(5);
    expect(phone.strip.every(({ y }) => y > phone.main.height)).toBe(true);
    const wide = layoutFocus(8, 1400, 600);
    expect(wide.strip).toHaveLength(5);
    expect(wide.strip.every(({ x }) => x > wide.main.width)).toBe(true);
  });

  it('shows at most five tiles next to the main one, without overlap', () => {
    for (const [width, height] of [
      [1920, 1080],
      [1024, 768],
      [390, 600],
    ] as const) {
      const { main, strip } = layoutFocus(30, width, height);
      expect(strip.length).toBeLessThanOrEqual(5);
      expect(strip.every((tile) => isInside(tile, width, height) && !overlap(tile, main))).toBe(true);
    }
  });

  it('centers a picture in its place', () => {
    expect(fitAspect({ x: 0, y: 0, width: 1600, height: 1000 })).toEqual({ x: 0, y: 50, width: 1600, height: 900 });
  });
});

it('shows fewer tiles on smaller windows', () => {
  expect([390, 800, 1280, 1920].map(pageSizeOf)).toEqual([4, 9, 25, 49]);
});

describe('a grid that may crop', () => {
  it('uses the height that two people leave, down to 4:3', () => {
    const [first, second] = layoutGrid(2, 1264, 660, 4 / 3);
    expect([first?.width, first?.height]).toEqual([628, 471]);
    expect(second?.x).toBe(636);
    expect(layoutGrid(1, 304, 144, 4 / 3)[0]).toMatchObject({ width: 256, height: 144 });
    expect(layoutGrid(1, 358, 620, 4 / 3)[0]).toMatchObject({ width: 358, height: 268 });
  });

  it('has no tiles in no space', () => {
    expect(layoutGrid(1, 0, 0, 4 / 3)).toEqual([{ x: 0, y: 0, width: 0, height: 0 }]);
  });
});
