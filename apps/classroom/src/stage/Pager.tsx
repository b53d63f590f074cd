import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useTranslation } from '../i18n/index.js';

export function Pager({ page, pages, onPage }: { page: number; pages: number; onPage(page: number): void }) {
  const { t } = useTranslation();
  return (
    <nav className="pager" aria-label={t('stage.pages')}>
      <button type="button" className="icon-button" aria-label={t('stage.previous')} disabled={page === 0} onClick={() => onPage(page - 1)}>
        <ChevronLeft aria-hidden className="mirrored" />
      </button>
      <span aria-live="polite">{t('stage.page', { page: page + 1, pages })}</span>
      <button
        type="button"
        className="icon-button"
        aria-label={t('stage.next')}
        disabled={page === pages - 1}
        onClick={() => onPage(page + 1)}
      >
        <ChevronRight aria-hidden className="mirrored" />
      </button>
    </nav>
  );
}
