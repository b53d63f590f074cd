import { compose, drawAll, drawNewFrames, type CanvasContext, type Item } from './scene.js';

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
