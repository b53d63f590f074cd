import { layoutGrid, fitAspect, layoutFocus, type Rect } from './tile-layout.js';
import type { StageTile } from './tiles.js';

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

/** The strip next to the main tile: first the face of the person whose screen is the main tile, then other screens, then the other faces. */
export function toStripTiles(main: StageTile, faces: readonly StageTile[], screens: readonly StageTile[]): StageTile[] {
  const rest = [...screens, ...faces].filter(({ key }) => key !== main.key);
  const isSharer = ({ person, isScreen }: StageTile) => main.isScreen && !isScreen && person.uid === main.person.uid;
  return [...rest.filter(isSharer), ...rest.filter((tile) => !isSharer(tile))];
}
