import { useEffect, useMemo, useRef, useState } from 'react';
import { getCommonBounds, restoreElements } from '@excalidraw/excalidraw';
import type { OrderedExcalidrawElement } from '@excalidraw/excalidraw/element/types';
import type { BoardElement, BoardPage } from '@classroom/contracts';
import type { Pointer } from '../board/class-board.js';
import { fit, SHEET, withSheet, type Viewport } from '../board/page-fit.js';
import type { Person } from '../media/people.js';
import type { FilmedBoard, FilmService } from './filmed-board.js';
import '../board/board.css';
import { harmless, inOrder, isSupported } from '../board/elements.js';
import { Paper } from '../board/Paper.js';
import { retryOnline } from '../session/retry.js';
import { useSize } from '../stage/tile-layout.js';
import { useStore } from '../store.js';
import './board-film.css';
import { Drawing } from './Drawing.js';
import { FilmedPointers } from './FilmedPointers.js';

interface BoardFilmProps {
  board: FilmedBoard;
  service: FilmService;
  people: readonly Person[];
}

const NO_MARGINS = { top: 0, bottom: 0 };

/** The page of the board that the class sees, on white paper and as large as it fits. From bottom to top: the paper, a document, what is drawn, pointers. */
export function BoardFilm({ board, service, people }: BoardFilmProps) {
  const { page, next, elements } = useStore(board, (state) => state);
  const ground = useRef<HTMLDivElement>(null);
  const size = useSize(ground);
  const drawn = useMemo(() => inOrder(elements.flatMap(restored)), [elements]);
  const viewport = useMemo(() => fit(drawn.length > 0 ? withSheet(getCommonBounds(drawn)) : SHEET, size, NO_MARGINS), [drawn, size]);
  if (!page) return null;
  const { scrollX, scrollY, zoom } = viewport;
  const placeOf = ({ x, y }: Pointer) => ({ left: (x + scrollX) * zoom, top: (y + scrollY) * zoom });
  return (
    <section className="board" data-board="view" data-page={page.pageId}>
      <div className="board-page" ref={ground}>
        <Paper template={page.template} viewport={viewport} size={size} isDark={false} />
        <Slide page={page} next={next} service={service} viewport={viewport} />
        {size.width > 0 && size.height > 0 && <Drawing key={page.pageId} elements={drawn} viewport={viewport} />}
        <FilmedPointers board={board} pageId={page.pageId} people={people} placeOf={placeOf} />
      </div>
    </section>
  );
}

/** What is restored stays the same object: the editor paints it only once. */
const known = new WeakMap<BoardElement, OrderedExcalidrawElement[]>();

function restored(stored: BoardElement): OrderedExcalidrawElement[] {
  const before = known.get(stored);
  if (before) return before;
  const shown = isSupported(stored.element) ? restore(harmless(stored.element)) : [];
  known.set(stored, shown);
  return shown;
}

function restore(element: object): OrderedExcalidrawElement[] {
  try {
    return restoreElements([element as OrderedExcalidrawElement], null);
  } catch {
    return [];
  }
}

interface SlideProps {
  page: BoardPage;
  next: BoardPage | undefined;
  service: FilmService;
  viewport: Viewport;
}

/** The page of a document, which lies on the sheet. That of the next page is loaded before it is seen. */
function Slide({ page, next, service, viewport }: SlideProps) {
  const address = usePicture(page, service);
  usePicture(next, service);
  if (address === undefined) return null;
  const { scrollX, scrollY, zoom } = viewport;
  const place = {
    left: (SHEET.x + scrollX) * zoom,
    top: (SHEET.y + scrollY) * zoom,
    width: SHEET.width * zoom,
    height: SHEET.height * zoom,
  };
  return <img className="board-slide" src={address} alt="" style={place} />;
}

/** The address of the picture of a page's document. Undefined until it is there, or if the page has none. */
function usePicture(page: BoardPage | undefined, service: FilmService): string | undefined {
  const [documentId, documentPage] = [page?.documentId ?? null, page?.documentPage ?? null];
  const key = `${documentId} ${documentPage}`;
  const [loaded, setLoaded] = useState<{ key: string; address: string }>();
  useEffect(() => {
    if (documentId === null || documentPage === null) return undefined;
    const closing = new AbortController();
    const { signal } = closing;
    retryOnline(() => service.picture(documentId, documentPage), { signal, timeoutMs: Infinity, isFinal: () => false }).then(
      (address) => !signal.aborted && setLoaded({ key, address }),
      () => undefined,
    );
    return () => closing.abort();
  }, [key, documentId, documentPage, service]);
  return loaded?.key === key ? loaded.address : undefined;
}
