import { useRef, useState } from 'react';
import { useApp } from '../app/context.js';
import { useTranslation } from '../i18n/index.js';
import { useSize } from '../stage/tile-layout.js';
import { viewedPage } from './board.js';
import './board.css';
import { Canvas, type Tools } from './Canvas.js';
import { mayDraw } from './class-board.js';
import { Outline } from './Outline.js';
import { PageBar } from './PageBar.js';
import { fit, SHEET } from './page-fit.js';
import { Paper } from './Paper.js';
import { Pointers } from './Pointers.js';
import { useBoard } from './use-board.js';
import { useDark } from './use-dark.js';

/** The board in the main place of the stage: the page, and below it what leads to the other pages. */
export function BoardView() {
  const { t } = useTranslation('board');
  const { board, view } = useBoard();
  const session = useApp((app) => app.session);
  const [fits, setFits] = useState(0);
  const tools = useRef<Tools>({});
  const viewed = viewedPage(view);
  const draws = mayDraw(session, view.drawers);
  return (
    <section className="board" aria-label={t('label')} data-board={draws ? 'draw' : 'view'} data-page={viewed?.page.pageId}>
      {viewed ? (
        <Page
          key={`${viewed.page.pageId} ${draws} ${board.manages}`}
          pageId={viewed.page.pageId}
          template={viewed.page.template}
          draws={draws}
          fits={fits}
          tools={tools}
        />
      ) : (
        <p className="board-empty">{t('noPage')}</p>
      )}
      <PageBar viewed={viewed} onFit={() => setFits(fits + 1)} />
    </section>
  );
}

interface Props extends Pick<React.ComponentProps<typeof Paper>, 'template'> {
  pageId: string;
  draws: boolean;
  /** Grows each time that the participant asks to see the whole page. */
  fits: number;
  tools: React.RefObject<Tools>;
}

/** From bottom to top: the paper, what is drawn, and where others point. */
function Page({ pageId, template, draws, fits, tools }: Props) {
  const ground = useRef<HTMLDivElement>(null);
  const size = useSize(ground);
  const isDark = useDark();
  const [viewport, setViewport] = useState(() => fit(SHEET, { width: SHEET.width, height: SHEET.height }, { top: 0, bottom: 0 }));
  return (
    <div className="board-page" ref={ground}>
      <Paper template={template} viewport={viewport} size={size} isDark={isDark} />
      {size.width > 0 && size.height > 0 && (
        <Canvas pageId={pageId} size={size} mayDraw={draws} isDark={isDark} fits={fits} tools={tools} onViewport={setViewport} />
      )}
      <Pointers pageId={pageId} viewport={viewport} />
      <Outline pageId={pageId} />
    </div>
  );
}
