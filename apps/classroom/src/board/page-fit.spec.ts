import { fit, SHEET, withSheet } from './page-fit.js';
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

describe('what is printed on a page', () => {
  it('stays on the sheet', () => {
    for (const template of ['blank', 'grid', 'lines', 'music'] as const)
      for (const y of rowsOf(template)) expect(y > 0 && y < SHEET.height).toBe(true);
  });

  it('is complete staves of five lines', () => expect([rowsOf('music').length % 5, rowsOf('blank')]).toEqual([0, []]));
});
