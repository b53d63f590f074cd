import { intersect, placeInBox, compose, drawAll, drawNewFrames, type CanvasContext, type Item } from './scene.js';
import { spreadOf } from './edges.js';
import { truncate } from './text.js';

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

it.each([
  ['rgb(1, 2, 3) 0px 0px 0px 3px', { color: 'rgb(1, 2, 3)', width: 3, isInset: false }],
  ['color(srgb 0.1 0.2 0.3) 0px 0px 0px 2.5px inset', { color: 'color(srgb 0.1 0.2 0.3)', width: 2.5, isInset: true }],
  ['none', undefined],
  ['rgb(0, 0, 0) 0px 8px 32px 0px', undefined],
  ['rgb(0, 0, 0) 0px 0px 0px 0px', undefined],
])('reads the ring of the shadow %s', (shadow, ring) => expect(spreadOf(shadow)).toEqual(ring));

const drawn: string[] = [];
const item = (name: string, x: number, isNew?: boolean): Item => ({
  box: { x, y: 0, width: 100, height: 100 },
  draw: () => void drawn.push(name),
  ...(isNew === undefined ? {} : { hasNewFrame: () => isNew }),
});
const clips: number[][] = [];
const noop = () => undefined;
const context = {
  fillRect: noop,
  save: noop,
  beginPath: noop,
  rect: (...box: number[]) => clips.push(box),
  clip: noop,
  restore: noop,
} as unknown as CanvasContext;
const scene = compose('#000', [item('ground', 0), item('a', 0, true), item('name a', 0), item('b', 200, false), item('name b', 200)]);
beforeEach(() => void drawn.splice(0));

it('draws everything in order after the page changed', () => {
  drawAll(scene, context, { width: 300, height: 100 });
  expect(drawn).toEqual(['ground', 'a', 'name a', 'b', 'name b']);
});

it('draws only a new frame and its overlays, within its box', () => {
  drawNewFrames(scene, context);
  expect(drawn).toEqual(['a', 'name a']);
  expect(clips).toEqual([[0, 0, 100, 100]]);
});

const measured = { measureText: (text: string) => ({ width: [...text].length * 10 }) as TextMetrics };

it.each([
  ['Ada', 100, 'Ada'],
  ['Ada Lovelace', 60, 'Ada L…'],
  ['Ada Lovelace', 50, 'Ada…'],
  ['👩‍🏫👩‍🏫', 5, '…'],
])('%s in %d pixels', (text, pixels, shown) => expect(truncate(measured, text, pixels)).toBe(shown));
