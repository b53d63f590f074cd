import { useSyncExternalStore } from 'react';
import { useTranslation } from '../i18n/index.js';
import { picturesOf, textsOf } from './board.js';
import { useBoard } from './use-board.js';
import { useSlide } from './use-slide.js';

interface Props {
  pageId: string;
  /** Of the slide below what is drawn. */
  slideText: string;
}

/** What is on a page, for screen readers: neither a picture nor a canvas tells them. */
export function Outline({ pageId, slideText }: Props) {
  const { t } = useTranslation('board');
  const { board } = useBoard();
  const drawn = useSyncExternalStore(
    (listener) => board.elementChanges.add(listener),
    () => JSON.stringify([textsOf(board.elementsOf(pageId)), picturesOf(board.elementsOf(pageId))]),
  );
  const [texts, pictures] = JSON.parse(drawn) as [string[], string[]];
  const lines = [...slideText.split('\n').filter((line) => line.trim() !== ''), ...texts];
  if (lines.length + pictures.length === 0) return <p className="unseen">{t('noTexts')}</p>;
  return (
    <ul className="unseen" aria-label={t('outline')} data-board-texts>
      {lines.map((line, at) => (
        <li key={at}>{line}</li>
      ))}
      {pictures.map((documentId) => (
        <PictureLine key={documentId} documentId={documentId} />
      ))}
    </ul>
  );
}

function PictureLine({ documentId }: { documentId: string }) {
  const { t } = useTranslation('board');
  const { board } = useBoard();
  const { page } = useSlide(board.slides.find, documentId, 1);
  return <li>{page ? t('picture', { title: page.title }) : t('pictureLoading')}</li>;
}
