import { layoutAround, layoutGrid, fitAspect, layoutFocus, GAP, pageSizeOf, type Rect } from './tile-layout.js';
import { person } from '../media/fake-person.js';
import { spotlitOf, type Person } from '../media/people.js';
import { facesOf, listenersOf } from './tiles.js';
import { HOLD_MS, NO_ORDER, promoteSpeakers, selectMainSpeaker, type Order } from './speaker-order.js';

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

describe('the place of a board', () => {
  it('is the whole stage without tiles', () =>
    expect(layoutAround(0, 800, 600)).toEqual({ main: { x: 0, y: 0, width: 800, height: 600 }, strip: [] }));

  it('leaves a phone one row of tiles, and a wide stage its end or its lower edge', () => {
    for (const [width, height] of [
      [360, 560],
      [1280, 560],
      [800, 780],
    ] as const) {
      const { main, strip } = layoutAround(9, width, height);
      expect(strip.length).toBeGreaterThan(1);
      for (const tile of strip) expect([isInside(tile, width, height), overlap(tile, main)]).toEqual([true, false]);
      expect(main.width * main.height).toBeGreaterThan(width * height * 0.75);
    }
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

const teacher = (more: Partial<Person> = {}) => person('tom', { role: 'TEACHER', mayPublish: true, isPublishing: true, ...more });
const students = [person('ann'), person('ben')];
const keys = (faces: { key: string }[]) => faces.map(({ key }) => key);

describe('those who only listen', () => {
  it('are on the stage of a teacher who would only see themselves, also before anyone publishes', () => {
    for (const isPublishing of [true, false]) {
      const people = [teacher({ isLocal: true, isPublishing }), ...students];
      expect(keys(facesOf(people, undefined, true))).toEqual(['tom', 'ann', 'ben']);
      expect(listenersOf(people, undefined, true)).toEqual([]);
    }
  });

  it('are next to the stage once another person is on it, and for a student', () => {
    const people = [teacher({ isLocal: true }), ...students, person('eve', { mayPublish: true })];
    expect(keys(facesOf(people, undefined, true))).toEqual(['tom', 'eve']);
    expect(listenersOf(people, undefined, true)).toEqual(students);
    expect(keys(facesOf([teacher(), ...students], undefined, false))).toEqual(['tom']);
    expect(listenersOf([teacher(), ...students], undefined, false)).toEqual(students);
  });

  it('are not next to a stage on which there is nothing, nor twice when pinned', () => {
    expect(listenersOf([teacher({ isPublishing: false }), ...students], undefined, false)).toEqual([]);
    expect(keys(facesOf([teacher(), ...students], 'ann', false))).toEqual(['tom', 'ann']);
    expect(listenersOf([teacher(), ...students], 'ann', false)).toEqual([students[1]]);
  });
});

it('whom a teacher shows to everyone has a face, and the latest is the one', () => {
  const [ann, ben] = [person('ann', { spotlitAt: 1 }), person('ben', { spotlitAt: 2 })];
  expect(spotlitOf([teacher(), ann, ben])?.uid).toBe('ben');
  expect(spotlitOf([teacher(), ...students])).toBeUndefined();
  expect(keys(facesOf([teacher({ isPublishing: false }), ann], undefined))).toEqual(['tom', 'ann']);
});

const present = ['a', 'b', 'c', 'd', 'e'];
const step = (order: Order, now: number, speaking: string[], here = present) =>
  promoteSpeakers(order, { present: here, speaking: new Set(speaking), pageSize: 3, now });

describe('the order of tiles', () => {
  it('is the order of arrival, and does not change while only participants on the first page speak', () => {
    const order = step(step(NO_ORDER, 0, []), 5_000, ['b', 'c']);
    expect(order.keys).toEqual(present);
  });

  it('moves a speaker to the first page, to the place of the participant who was silent longest', () => {
    let order = step(NO_ORDER, 0, ['a']);
    order = step(order, 3_000, ['c']);
    expect(step(order, 10_000, ['e']).keys).toEqual(['a', 'e', 'c', 'd', 'b']);
  });

  it('keeps a participant on the first page who spoke or moved there within two seconds', () => {
    let order = step(NO_ORDER, 0, ['a', 'b', 'c']);
    order = step(order, HOLD_MS - 1, ['e']);
    expect(order.keys).toEqual(present);
    expect(order.isWaiting).toBe(true);
    order = step(order, HOLD_MS, ['e']);
    expect(order.keys.slice(0, 3)).toContain('e');
    expect(order.isWaiting).toBe(false);
    expect(step(order, HOLD_MS + 500, ['d']).keys.slice(0, 3)).toContain('e');
  });

  it('moves participants up when another leaves, and adds new ones at the end', () => {
    const order = step(step(NO_ORDER, 0, []), 10, [], ['a', 'c', 'd', 'e', 'f']);
    expect(order.keys).toEqual(['a', 'c', 'd', 'e', 'f']);
  });
});

describe('the speaker view', () => {
  const select = (mainSpeaker: { key: string | undefined; since: number }, now: number, speaking: string[], here = present) =>
    selectMainSpeaker(mainSpeaker, { present: here, speaking: new Set(speaking), now });

  it('begins with the speaker, else with the first participant', () => {
    expect(select({ key: undefined, since: 0 }, 5, ['c']).key).toBe('c');
    expect(select({ key: undefined, since: 0 }, 5, []).key).toBe('a');
  });

  it('follows another speaker, but not within two seconds nor while the first still speaks', () => {
    const mainSpeaker = { key: 'a', since: 1_000 };
    expect(select(mainSpeaker, 1_500, ['b']).key).toBe('a');
    expect(select(mainSpeaker, 9_000, ['a', 'b']).key).toBe('a');
    expect(select(mainSpeaker, 9_000, ['b'])).toEqual({ key: 'b', since: 9_000 });
    expect(select(mainSpeaker, 9_000, [])).toEqual(mainSpeaker);
  });

  it('shows another participant when its speaker leaves', () => {
    expect(select({ key: 'a', since: 0 }, 100, [], ['b', 'c']).key).toBe('b');
  });
});
