import type { ComponentType } from 'react';
import { useTranslation } from '../../i18n/index.js';
import { useLoaded } from './use-loaded.js';

interface LoadedPanelProps<P> {
  /** Must be the same function each time. */
  load: () => Promise<ComponentType<P>>;
  props?: P;
  /** Of what is shown until the content is there. */
  className?: string;
}

/** A part of the page that is loaded when it is opened. */
export function LoadedPanel<P extends object>({ load, props, className = 'panel-empty' }: LoadedPanelProps<P>) {
  const { t } = useTranslation('panels');
  const { part: Panel, isFailed, retry } = useLoaded(load);
  if (Panel) return <Panel {...((props ?? {}) as P)} />;
  return (
    <div className={className} role="status">
      {isFailed && (
        <div className="panel-empty">
          <p>{t('error.OTHER')}</p>
          <button type="button" className="text-button" onClick={retry}>
            {t('chat.retry')}
          </button>
        </div>
      )}
    </div>
  );
}
