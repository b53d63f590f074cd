/** The part of a page that everyone sees at first, in coordinates of the page: 16:9, as most screens. */
export const SHEET = { x: 0, y: 0, width: 1280, height: 720 };

export interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** What of a page is seen: a point `x` of the page is at `(x + scrollX) * zoom` in the window. */
export interface Viewport {
  scrollX: number;
  scrollY: number;
  zoom: number;
}

/** Pixels at the edges where the editor's tools lie over the page. */
export interface Margins {
  top: number;
  bottom: number;
}

const [MIN_ZOOM, MAX_ZOOM] = [0.1, 3];

/** The sheet, and what was drawn outside of it. */
export function withSheet([left, top, right, bottom]: readonly [number, number, number, number]): Area {
  const [x, y] = [Math.min(left, SHEET.x), Math.min(top, SHEET.y)];
  return { x, y, width: Math.max(right, SHEET.width) - x, height: Math.max(bottom, SHEET.height) - y };
}

/** Shows all of an area as large as possible, in the middle. */
export function fit(area: Area, window: { width: number; height: number }, margins: Margins): Viewport {
  const height = Math.max(1, window.height - margins.top - margins.bottom);
  const zoom = Math.min(Math.max(Math.min(window.width / area.width, height / area.height), MIN_ZOOM), MAX_ZOOM);
  return {
    zoom,
    scrollX: window.width / zoom / 2 - (area.x + area.width / 2),
    scrollY: (margins.top + height / 2) / zoom - (area.y + area.height / 2),
  };
}

/** Where a picture lies on the sheet: in the middle, as large as fits. */
export function onSheet({ width, height }: { width: number; height: number }): Area {
  const scale = Math.min(SHEET.width / width, SHEET.height / height);
  const [shownWidth, shownHeight] = [width * scale, height * scale];
  return {
    x: SHEET.x + (SHEET.width - shownWidth) / 2,
    y: SHEET.y + (SHEET.height - shownHeight) / 2,
    width: shownWidth,
    height: shownHeight,
  };
}

/** Where a part of a page is in the window, in pixels. */
export const inWindow = ({ x, y, width, height }: Area, { scrollX, scrollY, zoom }: Viewport) => ({
  left: (x + scrollX) * zoom,
  top: (y + scrollY) * zoom,
  width: width * zoom,
  height: height * zoom,
});

/** The point of the page at a place of the window; in the middle of the sheet as long as nothing is known. */
export const toPagePoint = (left: number, top: number, viewport: Viewport | undefined) =>
  viewport
    ? { x: left / viewport.zoom - viewport.scrollX, y: top / viewport.zoom - viewport.scrollY }
    : { x: SHEET.x + SHEET.width / 2, y: SHEET.y + SHEET.height / 2 };
