import { fit, inWindow, onSheet, SHEET, withSheet } from './page-fit.js';
import { rowsOf } from './paper.js';

describe('the place of a page in its window', () => {
  const none = { top: 0, bottom: 0 };

  it.each([
    ['a wide window', { width: 1600, height: 700 }, none],
    ['a phone', { width: 360, height: 480 }, none],
    ['a window with tools', { width: 1200, height: 700 }, { top: 72, bottom: 8 }],
  ])('shows the whole sheet in the middle of %s', (_, window, margins) => {
    const { scrollX, scrollY, zoom } = fit(SHEET, window, margins);
    const [left, top] = [scrollX * zoom, scrollY * zoom];
    const [right, bottom] = [left + SHEET.width * zoom, top + SHEET.height * zoom];
    expect([
      left >= -0.01,
      top >= margins.top - 0.01,
      right <= window.width + 0.01,
      bottom <= window.height - margins.bottom + 0.01,
    ]).toEqual([true, true, true, true]);
    expect(left).toBeCloseTo(window.width - right);
    expect(top - margins.top).toBeCloseTo(window.height - margins.bottom - bottom);
  });

  it('includes what was drawn outside of the sheet', () => {
    expect(withSheet([-100, 200, 300, 1_000])).toEqual({ x: -100, y: 0, width: 1_380, height: 1_000 });
    expect(withSheet([10, 20, 30, 40])).toEqual(SHEET);
  });
});

describe('the place of a slide', () => {
  it.each([
    ['as wide as the sheet', { width: 1_600, height: 900 }, SHEET],
    ['between empty margins', { width: 1_000, height: 1_000 }, { x: 280, y: 0, width: 720, height: 720 }],
    ['below an empty margin', { width: 1_600, height: 400 }, { x: 0, y: 200, width: 1_280, height: 320 }],
    ['larger than a small picture', { width: 64, height: 36 }, SHEET],
  ])('is %s', (_, picture, area) => expect(onSheet(picture)).toEqual(area));

  it('moves and grows with the page', () => {
    expect(inWindow({ x: 100, y: 50, width: 200, height: 100 }, { scrollX: 10, scrollY: -50, zoom: 2 })).toEqual({
      left: 220,
      top: 0,
      width: 400,
      height: 200,
    });
  });
});

describe('what is printed on a page', () => {
  it('stays on the sheet', () => {
    for (const template of ['blank', 'grid', 'lines', 'music'] as const)
      for (const y of rowsOf(template)) expect(y > 0 && y < SHEET.height).toBe(true);
  });

  it('is complete staves of five lines', () => expect([rowsOf('music').length % 5, rowsOf('blank')]).toEqual([0, []]));
});
