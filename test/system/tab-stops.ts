import type { Page } from 'playwright-core';

export interface TabStop {
  name: string;
  /** Whether most of it is visible and can be clicked. */
  isReachable: boolean;
}

/** Checks five points of the focused element: its center and four around it. */
const READ_TAB_STOPS = `(() => {
  const element = document.activeElement;
  if (!element || element === document.body) return undefined;
  const { left, top, width, height } = element.getBoundingClientRect();
  const isSeen = ([x, y]) => {
    const seen = document.elementFromPoint(left + width * x, top + height * y);
    return seen !== null && element.contains(seen);
  };
  window.tabStops ??= new Map();
  const isNew = !window.tabStops.has(element);
  window.tabStops.set(element, true);
  const name = element.dataset.action ?? element.dataset.tab ?? element.getAttribute('aria-label') ?? element.outerHTML.slice(0, 120);
  return { name, isNew, isReachable: [[0.5, 0.5], [0.25, 0.25], [0.75, 0.25], [0.25, 0.75], [0.75, 0.75]].filter(isSeen).length > 2 };
})()`;

/** All elements that Tab reaches, once around the page. */
export async function tabStopsOf(page: Page): Promise<TabStop[]> {
  await page.evaluate('window.tabStops = undefined');
  const stops: TabStop[] = [];
  for (;;) {
    await page.keyboard.press('Tab');
    const stop = await page.evaluate<(TabStop & { isNew: boolean }) | undefined>(READ_TAB_STOPS);
    if (!stop) continue;
    if (!stop.isNew) return stops;
    stops.push({ name: stop.name, isReachable: stop.isReachable });
  }
}
