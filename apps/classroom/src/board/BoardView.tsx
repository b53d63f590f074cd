import { useCallback, useRef, useState, type ClipboardEvent, type DragEvent } from 'react';
import { useApp } from '../app/context.js';
import { isPicture } from '../documents/file-types.js';
import { useTranslation } from '../i18n/index.js';
import { useSize } from '../stage/tile-layout.js';
import { viewedPage } from './board.js';
import './board.css';
import { Canvas, type Tools } from './Canvas.js';
import { mayDraw } from './class-board.js';
import { FilesLine } from './FilesLine.js';
import { Outline } from './Outline.js';
import { PageBar } from './PageBar.js';
import { fit, SHEET, toPagePoint, type Viewport } from './page-fit.js';
import { PagePicture } from './PagePicture.js';
import { Paper } from './Paper.js';
import { Pointers } from './Pointers.js';
import { useBoard } from './use-board.js';
import { useDark } from './use-dark.js';
import { usePreloaded, useSlide, type Slide } from './use-slide.js';

type ShownPage = NonNullable<ReturnType<typeof viewedPage>>['page'];

/** The board in the main place of the stage: the page, and below it what leads to the other pages. */
export function BoardView() {
  const { t } = useTranslation('board');
  const { board, view } = useBoard();
  const session = useApp((app) => app.session);
  const [fits, setFits] = useState(0);
  const tools = useRef<Tools>({});
  const viewed = viewedPage(view);
  const draws = mayDraw(session, view.drawers);
  const viewport = useRef<Viewport>(undefined);
  const { isOver, ...dropping } = useDrop(draws ? viewed?.page.pageId : undefined, viewport);
  return (
    <section
      className="board"
      aria-label={t('label')}
      data-board={draws ? 'draw' : 'view'}
      data-page={viewed?.page.pageId}
      data-dropping={isOver}
      {...dropping}
    >
      {viewed ? (
        <Page
          key={`${viewed.page.pageId} ${draws} ${board.manages}`}
          page={viewed.page}
          draws={draws}
          fits={fits}
          tools={tools}
          seen={viewport}
        />
      ) : (
        <p className="board-empty">{t('noPage')}</p>
      )}
      {board.managesDocuments && <FilesLine />}
      <PageBar viewed={viewed} onFit={() => setFits(fits + 1)} />
    </section>
  );
}

interface Props {
  page: ShownPage;
  draws: boolean;
  /** Grows each time that the participant asks to see the whole page. */
  fits: number;
  tools: React.RefObject<Tools>;
  /** What of the page is seen. */
  seen: React.RefObject<Viewport | undefined>;
}

/** From bottom to top: the paper, the slide, what is drawn, and where others point. */
function Page({ page: { pageId, template, documentId, documentPage }, draws, fits, tools, seen }: Props) {
  const { t } = useTranslation('board');
  const { board, view } = useBoard();
  const ground = useRef<HTMLDivElement>(null);
  const size = useSize(ground);
  const isDark = useDark();
  const slide = useSlide(board.slides.find, documentId, documentPage);
  const [isLoaded, setLoaded] = useState(false);
  const at = view.pages.findIndex((page) => page.pageId === pageId);
  usePreloaded(board.slides.find, isLoaded || documentId === null, [view.pages[at + 1], view.pages[at - 1]]);
  const [viewport, setViewport] = useState(() => fit(SHEET, { width: SHEET.width, height: SHEET.height }, { top: 0, bottom: 0 }));
  const hasSlide = documentId !== null;
  const onViewport = useCallback(
    (now: Viewport) => {
      seen.current = now;
      setViewport(now);
    },
    [seen],
  );
  return (
    <div className="board-page" ref={ground} data-has-slide={hasSlide}>
      <Paper template={template} viewport={viewport} size={size} isDark={isDark} hasSlide={hasSlide} />
      <PagePicture
        slide={slide}
        viewport={viewport}
        alt={t('slide', { title: slide.page?.title, page: documentPage })}
        onLoad={() => setLoaded(true)}
      />
      {size.width > 0 && size.height > 0 && (
        <Canvas
          pageId={pageId}
          size={size}
          mayDraw={draws}
          isDark={isDark}
          hasSlide={hasSlide}
          fits={fits}
          tools={tools}
          onViewport={onViewport}
        />
      )}
      <Pointers pageId={pageId} viewport={viewport} />
      {hasSlide && !isLoaded && <Waiting slide={slide} />}
      <Outline pageId={pageId} slideText={slide.page?.text ?? ''} />
    </div>
  );
}

/** Until the slide is there. */
function Waiting({ slide: { isFailed, retry, page } }: { slide: Slide }) {
  const { t } = useTranslation('board');
  return (
    <div className="board-over" role="status">
      {isFailed ? (
        <div className="board-failure">
          <p>{t('failed.slide')}</p>
          <button type="button" className="button" data-action="board-slide-retry" onClick={retry}>
            {t('retry')}
          </button>
        </div>
      ) : (
        !page && <span className="spinner board-waiting" role="img" aria-label={t('slideLoading')} />
      )}
    </div>
  );
}

const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes('Files');

/**
 * Files that are dropped or pasted on the board, of those who manage documents: pictures are drawn on the page, if there is one, and others become
 * slides. The editor, which would read them as drawings, gets none.
 */
function useDrop(pageId: string | undefined, seen: React.RefObject<Viewport | undefined>) {
  const { board } = useBoard();
  const [isOver, setOver] = useState(false);
  const isAllowed = board.managesDocuments && (pageId !== undefined || board.manages);
  const add = (files: readonly File[], ground: Element, at: { clientX: number; clientY: number }) => {
    const pictures = pageId === undefined ? [] : files.filter(isPicture);
    const { left, top } = (ground.querySelector('.board-page') ?? ground).getBoundingClientRect();
    const point = toPagePoint(at.clientX - left, at.clientY - top, seen.current);
    if (pageId !== undefined) board.addPictures(pageId, pictures, point);
    if (board.manages) board.addFiles(files.filter((file) => !pictures.includes(file)));
  };
  return {
    isOver,
    onDragOverCapture: (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = isAllowed ? 'copy' : 'none';
      setOver(isAllowed);
    },
    onDragLeaveCapture: ({ currentTarget, relatedTarget }: DragEvent) => {
      if (!currentTarget.contains(relatedTarget as Node | null)) setOver(false);
    },
    onDropCapture: (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      event.stopPropagation();
      setOver(false);
      if (isAllowed) add([...event.dataTransfer.files], event.currentTarget, event);
    },
    onPasteCapture: (event: ClipboardEvent) => {
      const files = [...event.clipboardData.files];
      if (files.length === 0) return;
      event.preventDefault();
      event.stopPropagation();
      const { left, top, width, height } = event.currentTarget.getBoundingClientRect();
      if (isAllowed) add(files, event.currentTarget, { clientX: left + width / 2, clientY: top + height / 2 });
    },
  };
}
