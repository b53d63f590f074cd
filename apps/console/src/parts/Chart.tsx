import { lazy, Suspense, type ComponentProps } from 'react';
import { useTranslation } from '../i18n/index.js';

/** Loaded with the first chart: half of the pages have none. */
const Loaded = lazy(() => import('./LoadedChart.js'));

/** A chart of one series. Its data is also on the page as text: a canvas is one picture to a screen reader. */
export function Chart(props: ComponentProps<typeof Loaded>) {
  const { t } = useTranslation();
  return (
    <Suspense fallback={<div className="chart quiet">{t('loading')}</div>}>
      <Loaded {...props} />
    </Suspense>
  );
}
