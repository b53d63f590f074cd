import { useSyncExternalStore } from 'react';
import { useTranslation } from '../i18n/index.js';
import { textsOf } from './board.js';
import { useBoard } from './use-board.js';

/** What is written on a page, for screen readers: a canvas tells them nothing. */
export function Outline({ pageId }: { pageId: string }) {
  const { t } = useTranslation('board');
  const { board } = useBoard();
  const texts = useSyncExternalStore(
    (listener) => board.elementChanges.add(listener),
    () => JSON.stringify(textsOf(board.elementsOf(pageId))),
  );
  const lines = JSON.parse(texts) as string[];
  if (lines.length === 0) return <p className="unseen">{t('noTexts')}</p>;
  return (
    <ul className="unseen" aria-label={t('outline')} data-board-texts>
      {lines.map((line, at) => (
        <li key={at}>{line}</li>
      ))}
    </ul>
  );
}
