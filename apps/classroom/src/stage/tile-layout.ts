import type { StageTile } from './tiles.js';
import { useLayoutEffect, useState, type RefObject } from 'react';

/** In pixels, from the stage's start edge and top. */
export interface Rect {
  x: number;
  y: number;
  width: number;
  height: number;
}

export const GAP = 8;
const ASPECT = 16 / 9;
/** The smallest width of a tile in the strip, in pixels; faces in smaller tiles are not recognizable. */
const MIN_STRIP_WIDTH = 104;
const MAX_STRIP_WIDTH = 240;
const STRIP_SHARE = 0.18;
/** The most tiles in a strip. */
export const MAX_STRIP_TILES = 5;

/**
 * The positions of n tiles, as large as possible. An incomplete last row is centered. A tile is 16:9, or as high as the place allows down to the
 * aspect `narrowest`, which crops the sides of a picture.
 */
export function layoutGrid(n: number, width: number, height: number, narrowest = ASPECT): Rect[] {
  let best = { columns: 1, width: 0, height: 0 };
  for (let columns = 1; columns <= n; columns += 1) {
    const rows = Math.ceil(n / columns);
    const byWidth = (width - GAP * (columns - 1)) / columns;
    const byHeight = (height - GAP * (rows - 1)) / rows;
    const tile = Math.floor(Math.min(byWidth, byHeight * ASPECT));
    const high = Math.floor(Math.min(byHeight, tile / narrowest));
    if (tile > 0 && tile * high > best.width * best.height) best = { columns, width: tile, height: high };
  }
  const { columns } = best;
  const tile = { width: best.width, height: best.height };
  const rows = Math.ceil(n / columns);
  const top = (height - span(rows, tile.height)) / 2;
  return Array.from({ length: n }, (_, i) => {
    const row = Math.floor(i / columns);
    const inRow = row === rows - 1 ? n - columns * row : columns;
    const start = (width - span(inRow, tile.width)) / 2;
    return { x: Math.round(start + (i % columns) * (tile.width + GAP)), y: Math.round(top + row * (tile.height + GAP)), ...tile };
  });
}

export interface Focus {
  main: Rect;
  /** As many tiles as fit, at most five. */
  strip: Rect[];
}

/** One tile as large as possible with a strip of others, below it or at its end, whichever leaves the tile larger. */
export function layoutFocus(others: number, width: number, height: number): Focus {
  if (others === 0) return { main: { x: 0, y: 0, width, height }, strip: [] };
  if (height > width) return rowsBelow(others, width, height);
  const below = stripBelow(others, width, height);
  const atEnd = stripAtEnd(others, width, height);
  return mainWidth(atEnd.main) > mainWidth(below.main) ? atEnd : below;
}

/** A place as large as possible for what has no aspect of its own, and a strip of tiles: below it in a high window, otherwise wherever it leaves more. */
export function layoutAround(others: number, width: number, height: number): Focus {
  if (others === 0) return { main: { x: 0, y: 0, width, height }, strip: [] };
  const below = stripBelow(others, width, height);
  const atEnd = stripAtEnd(others, width, height);
  return height <= width && areaOf(atEnd.main) > areaOf(below.main) ? atEnd : below;
}

/** For a phone held upright: the picture at the top in full width, below it rows of two faces, as many as fit. */
function rowsBelow(others: number, width: number, height: number): Focus {
  const heightOf = (wide: number) => Math.floor(wide / ASPECT);
  const tile = { width: Math.floor((width - GAP) / 2), height: heightOf((width - GAP) / 2) };
  const main = { x: 0, y: 0, width, height: Math.max(0, Math.min(heightOf(width), height - tile.height - GAP)) };
  const rows = Math.max(1, Math.floor((height - main.height) / (tile.height + GAP)));
  const strip = indexes(Math.min(others, MAX_STRIP_TILES, rows * 2)).map((i) => ({
    x: (i % 2) * (tile.width + GAP),
    y: main.height + GAP + Math.floor(i / 2) * (tile.height + GAP),
    ...tile,
  }));
  return { main, strip };
}

function stripBelow(others: number, width: number, height: number): Focus {
  const fitting = Math.min(others, MAX_STRIP_TILES, Math.max(1, Math.floor((width + GAP) / (MIN_STRIP_WIDTH + GAP))));
  const tile = stripTile(Math.min(height * STRIP_SHARE * ASPECT, (width - GAP * (fitting - 1)) / fitting));
  const start = (width - span(fitting, tile.width)) / 2;
  const strip = indexes(fitting).map((i) => ({ x: Math.round(start + i * (tile.width + GAP)), y: height - tile.height, ...tile }));
  return { main: { x: 0, y: 0, width, height: Math.max(0, height - tile.height - GAP) }, strip };
}

function stripAtEnd(others: number, width: number, height: number): Focus {
  const fifth = (height - GAP * (MAX_STRIP_TILES - 1)) / MAX_STRIP_TILES;
  const tile = stripTile(Math.min(width * STRIP_SHARE, fifth * ASPECT));
  const fitting = Math.min(others, MAX_STRIP_TILES, Math.max(1, Math.floor((height + GAP) / (tile.height + GAP))));
  const top = (height - span(fitting, tile.height)) / 2;
  const strip = indexes(fitting).map((i) => ({ x: width - tile.width, y: Math.round(top + i * (tile.height + GAP)), ...tile }));
  return { main: { x: 0, y: 0, width: Math.max(0, width - tile.width - GAP), height }, strip };
}

/** A 16:9 rectangle, centered in a place. */
export function fitAspect({ x, y, width, height }: Rect): Rect {
  const tile = Math.floor(Math.min(width, height * ASPECT));
  const tileHeight = Math.floor(tile / ASPECT);
  return { x: Math.round(x + (width - tile) / 2), y: Math.round(y + (height - tileHeight) / 2), width: tile, height: tileHeight };
}

function stripTile(desiredWidth: number): { width: number; height: number } {
  const width = Math.floor(Math.min(Math.max(desiredWidth, MIN_STRIP_WIDTH), MAX_STRIP_WIDTH));
  return { width, height: Math.floor(width / ASPECT) };
}

const areaOf = ({ width, height }: Rect) => width * height;
const mainWidth = ({ width, height }: Rect) => Math.min(width, height * ASPECT);
const span = (count: number, size: number) => count * size + (count - 1) * GAP;
const indexes = (count: number) => [...Array(count).keys()];

/** The number of faces per page that are still recognizable, by the width of the window in pixels. */
export function pageSizeOf(windowWidth: number): number {
  if (windowWidth >= 1440) return 49;
  if (windowWidth >= 1024) return 25;
  return windowWidth >= 600 ? 9 : 4;
}

/** Which tile is shown where. The strip of the focused view may omit tiles; a grid shows the tiles of one page. */
export interface Composition {
  places: { tile: StageTile; place: Rect }[];
  pages: number;
}

export interface Size {
  width: number;
  height: number;
}

interface Grid {
  pageSize: number;
  page: number;
  /** The aspect down to which pictures are cropped to fill the stage. */
  narrowest: number;
}

export function composeGrid(tiles: readonly StageTile[], { width, height }: Size, { pageSize, page, narrowest }: Grid): Composition {
  const shown = tiles.slice(page * pageSize, (page + 1) * pageSize);
  const places = layoutGrid(shown.length, width, height, narrowest);
  return {
    places: shown.flatMap((tile, i) => (places[i] ? [{ tile, place: places[i] }] : [])),
    pages: Math.max(1, Math.ceil(tiles.length / pageSize)),
  };
}

/** A shared screen gets the whole place, because it is shown with `contain`; a face gets a 16:9 frame. */
export function composeFocus(main: StageTile, others: readonly StageTile[], { width, height }: Size): Composition {
  const focus = layoutFocus(others.length, width, height);
  const strip = focus.strip.flatMap((place, i) => (others[i] ? [{ tile: others[i], place }] : []));
  return { places: [{ tile: main, place: main.isScreen ? focus.main : fitAspect(focus.main) }, ...strip], pages: 1 };
}

/** The strip next to something that is no tile. */
export function composeAround(tiles: readonly StageTile[], { width, height }: Size): Composition & { main: Rect } {
  const { main, strip } = layoutAround(tiles.length, width, height);
  return { main, places: strip.flatMap((place, i) => (tiles[i] ? [{ tile: tiles[i], place }] : [])), pages: 1 };
}

/** The strip next to the main tile: first the face of the person whose screen is the main tile, then other screens, then the other faces. */
export function toStripTiles(main: StageTile, faces: readonly StageTile[], screens: readonly StageTile[]): StageTile[] {
  const rest = [...screens, ...faces].filter(({ key }) => key !== main.key);
  const isSharer = ({ person, isScreen }: StageTile) => main.isScreen && !isScreen && person.uid === main.person.uid;
  return [...rest.filter(isSharer), ...rest.filter((tile) => !isSharer(tile))];
}

/** The inner size of an element, in whole pixels. */
export function useSize(ref: RefObject<HTMLElement | null>): Size {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return undefined;
    const measure = () => {
      const { clientWidth: width, clientHeight: height } = element;
      setSize((before) => (before.width === width && before.height === height ? before : { width, height }));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref]);
  return size;
}
