import { useRef, useState, type DragEvent } from 'react';
import { useApp } from '../app/context.js';
import { useTranslation } from '../i18n/index.js';
import { useSize } from '../stage/tile-layout.js';
import { viewedPage } from './board.js';
import './board.css';
import { Canvas, type Tools } from './Canvas.js';
import { mayDraw } from './class-board.js';
import { FilesLine } from './FilesLine.js';
import { Outline } from './Outline.js';
import { PageBar } from './PageBar.js';
import { fit, SHEET } from './page-fit.js';
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
  const { isOver, ...dropping } = useDrop();
  const viewed = viewedPage(view);
  const draws = mayDraw(session, view.drawers);
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
        <Page key={`${viewed.page.pageId} ${draws} ${board.manages}`} page={viewed.page} draws={draws} fits={fits} tools={tools} />
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
}

/** From bottom to top: the paper, the slide, what is drawn, and where others point. */
function Page({ page: { pageId, template, documentId, documentPage }, draws, fits, tools }: Props) {
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
        <Canvas pageId={pageId} size={size} mayDraw={draws} isDark={isDark} fits={fits} tools={tools} onViewport={setViewport} />
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

/** Files that are dropped on the board become slides, for those who manage documents. The editor, which would read them as drawings, gets none. */
function useDrop() {
  const { board } = useBoard();
  const [isOver, setOver] = useState(false);
  return {
    isOver,
    onDragOverCapture: (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = board.managesDocuments ? 'copy' : 'none';
      setOver(board.managesDocuments);
    },
    onDragLeaveCapture: ({ currentTarget, relatedTarget }: DragEvent) => {
      if (!currentTarget.contains(relatedTarget as Node | null)) setOver(false);
    },
    onDropCapture: (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      event.stopPropagation();
      setOver(false);
      if (board.manages && board.managesDocuments) board.addFiles([...event.dataTransfer.files]);
    },
  };
}
