import { compose, drawAll, drawNews, type Brush, type Item } from './scene.js';

const drawn: string[] = [];
const item = (name: string, x: number, news?: boolean): Item => ({
  box: { x, y: 0, width: 100, height: 100 },
  draw: () => void drawn.push(name),
  ...(news === undefined ? {} : { hasNews: () => news }),
});
const clips: number[][] = [];
const nothing = () => undefined;
const brush = {
  fillRect: nothing,
  save: nothing,
  beginPath: nothing,
  rect: (...box: number[]) => clips.push(box),
  clip: nothing,
  restore: nothing,
} as unknown as Brush;
const scene = compose('#000', [item('ground', 0), item('a', 0, true), item('name a', 0), item('b', 200, false), item('name b', 200)]);
beforeEach(() => void drawn.splice(0));

it('draws everything in order after the page changed', () => {
  drawAll(scene, brush, { width: 300, height: 100 });
  expect(drawn).toEqual(['ground', 'a', 'name a', 'b', 'name b']);
});

it('draws only a new frame and its overlays, within its box', () => {
  drawNews(scene, brush);
  expect(drawn).toEqual(['a', 'name a']);
  expect(clips).toEqual([[0, 0, 100, 100]]);
});
