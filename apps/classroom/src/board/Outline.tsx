import { useSyncExternalStore } from 'react';
import { useTranslation } from '../i18n/index.js';
import { textsOf } from './board.js';
import { useBoard } from './use-board.js';

interface Props {
  pageId: string;
  /** Of the slide below what is drawn. */
  slideText: string;
}

/** What is written on a page, for screen readers: neither a picture nor a canvas tells them. */
export function Outline({ pageId, slideText }: Props) {
  const { t } = useTranslation('board');
  const { board } = useBoard();
  const texts = useSyncExternalStore(
    (listener) => board.elementChanges.add(listener),
    () => JSON.stringify(textsOf(board.elementsOf(pageId))),
  );
  const printed = slideText.split('\n').filter((line) => line.trim() !== '');
  const lines = [...printed, ...(JSON.parse(texts) as string[])];
  if (lines.length === 0) return <p className="unseen">{t('noTexts')}</p>;
  return (
    <ul className="unseen" aria-label={t('outline')} data-board-texts>
      {lines.map((line, at) => (
        <li key={at}>{line}</li>
      ))}
    </ul>
  );
}
