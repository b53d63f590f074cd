import type { ComponentType } from 'react';
import { useTranslation } from '../../i18n/index.js';
import { useLoaded } from './use-loaded.js';

/** The content of a tab that is loaded when the tab is opened. `load` must be the same function each time. */
export function LoadedPanel({ load }: { load: () => Promise<ComponentType> }) {
  const { t } = useTranslation('panels');
  const { part: Panel, isFailed, retry } = useLoaded(load);
  if (Panel) return <Panel />;
  return (
    <div className="panel-empty" role="status">
      {isFailed && (
        <>
          <p>{t('error.OTHER')}</p>
          <button type="button" className="text-button" onClick={retry}>
            {t('chat.retry')}
          </button>
        </>
      )}
    </div>
  );
}
