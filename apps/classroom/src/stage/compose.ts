import { arrange, fitted, focusOn, type Rect } from './arrange.js';
import type { StageTile } from './tiles.js';

/** What is shown where; `strip` of the focused view may leave some out, a grid's pages do. */
export interface Composition {
  places: { tile: StageTile; place: Rect }[];
  pages: number;
}

export interface Size {
  width: number;
  height: number;
}

export function composeGrid(tiles: readonly StageTile[], { width, height }: Size, pageSize: number, page: number): Composition {
  const shown = tiles.slice(page * pageSize, (page + 1) * pageSize);
  const places = arrange(shown.length, width, height);
  return {
    places: shown.flatMap((tile, i) => (places[i] ? [{ tile, place: places[i] }] : [])),
    pages: Math.max(1, Math.ceil(tiles.length / pageSize)),
  };
}

/** A shared screen gets all of its place, for it is contained in it; a face a frame of its own shape. */
export function composeFocus(main: StageTile, others: readonly StageTile[], { width, height }: Size): Composition {
  const focus = focusOn(others.length, width, height);
  const strip = focus.strip.flatMap((place, i) => (others[i] ? [{ tile: others[i], place }] : []));
  return { places: [{ tile: main, place: main.isScreen ? focus.main : fitted(focus.main) }, ...strip], pages: 1 };
}

/** The strip beside a shared screen begins with its sharer's face; then with who speaks or spoke last. */
export function stripOf(main: StageTile, faces: readonly StageTile[], screens: readonly StageTile[]): StageTile[] {
  const rest = [...screens, ...faces].filter(({ key }) => key !== main.key);
  const isSharer = ({ person, isScreen }: StageTile) => main.isScreen && !isScreen && person.uid === main.person.uid;
  return [...rest.filter(isSharer), ...rest.filter((tile) => !isSharer(tile))];
}
