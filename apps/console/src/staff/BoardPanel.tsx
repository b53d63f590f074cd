import { useMutation, useQuery } from '@tanstack/react-query';
import { ChevronLeft, ChevronRight, Download } from 'lucide-react';
import { useEffect, useState } from 'react';
import { download } from '../api/client.js';
import { queries, type BoardPage } from '../api/queries.js';
import { useFormat, useTranslation } from '../i18n/index.js';
import { Empty, Failure, Loaded, Panel } from '../parts/Page.js';

/** The board of a class, page by page. It is read on demand: each request is in the audit log. */
export function BoardPanel({ roomId }: { roomId: string }) {
  const { t } = useTranslation();
  const [isShown, setShown] = useState(false);
  return (
    <Panel title={t('board.title')} note={t('onDemand')}>
      {isShown ? (
        <Board roomId={roomId} />
      ) : (
        <button type="button" className="button" data-action="show-board" onClick={() => setShown(true)}>
          {t('board.show')}
        </button>
      )}
    </Panel>
  );
}

function Board({ roomId }: { roomId: string }) {
  const { t } = useTranslation();
  const board = useQuery(queries.board(roomId));
  return (
    <Loaded of={board}>
      {({ pages: [first, ...others] }) => (first ? <Pages roomId={roomId} pages={[first, ...others]} /> : <Empty>{t('board.none')}</Empty>)}
    </Loaded>
  );
}

function Pages({ roomId, pages }: { roomId: string; pages: [BoardPage, ...BoardPage[]] }) {
  const { t } = useTranslation();
  const { number } = useFormat();
  const [index, setIndex] = useState(0);
  const page = pages[index] ?? pages[0];
  const name = t('board.page', { page: number(index + 1), pages: number(pages.length) });
  const file = useMutation({
    mutationFn: (query: { format: 'pdf' | 'png'; pageId?: string }) =>
      download(`/v1/room/${roomId}/board?${new URLSearchParams(query)}`, `${roomId}-board.${query.format}`),
  });
  return (
    <>
      <div className="board-bar">
        <button
          type="button"
          className="button"
          data-action="board-previous"
          aria-label={t('board.previous')}
          disabled={index === 0}
          onClick={() => setIndex(index - 1)}
        >
          <ChevronLeft aria-hidden />
        </button>
        <span aria-live="polite">{name}</span>
        <button
          type="button"
          className="button"
          data-action="board-next"
          aria-label={t('board.next')}
          disabled={index === pages.length - 1}
          onClick={() => setIndex(index + 1)}
        >
          <ChevronRight aria-hidden />
        </button>
        <button
          type="button"
          className="button"
          data-action="board-pdf"
          disabled={file.isPending}
          onClick={() => file.mutate({ format: 'pdf' })}
        >
          <Download aria-hidden />
          {t('board.pdf')}
        </button>
        <button
          type="button"
          className="button"
          data-action="board-png"
          disabled={file.isPending}
          onClick={() => file.mutate({ format: 'png', pageId: page.pageId })}
        >
          <Download aria-hidden />
          {t('board.png')}
        </button>
      </div>
      {file.error && <Failure error={file.error} />}
      <Picture key={page.pageId} roomId={roomId} page={page} name={name} />
    </>
  );
}

/** A page with its slide, which SVG does not have. As an image, an SVG runs no script and loads nothing. */
function Picture({ roomId, page, name }: { roomId: string; page: BoardPage; name: string }) {
  const { pageId, documentId, elements } = page;
  const picture = useQuery(queries.boardPicture(roomId, pageId, documentId === null ? 'svg' : 'png'));
  const texts = elements.flatMap(({ element }) => (typeof element['text'] === 'string' ? [element['text']] : []));
  return <Loaded of={picture}>{(blob) => <Shown picture={blob} alternative={[name, ...texts].join('. ')} />}</Loaded>;
}

function Shown({ picture, alternative }: { picture: Blob; alternative: string }) {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    const own = URL.createObjectURL(picture);
    setUrl(own);
    return () => URL.revokeObjectURL(own);
  }, [picture]);
  return url && <img className="board-page" src={url} alt={alternative} />;
}
