import { useCallback, useEffect, useState, type ComponentType } from 'react';
import { useTranslation } from '../i18n/index.js';

/** Kept for the next time the tab is opened. */
let loaded: ComponentType | undefined;

/** Loads the content of the tab when it is opened. */
export function TutorTab() {
  const { t } = useTranslation('panels');
  const [Panel, setPanel] = useState(() => loaded);
  const [isFailed, setFailed] = useState(false);
  const load = useCallback(async () => {
    setFailed(false);
    try {
      loaded = (await import('./index.js')).TutorPanel;
      setPanel(() => loaded);
    } catch {
      setFailed(true);
    }
  }, []);
  useEffect(() => {
    if (!loaded) void load();
  }, [load]);
  if (Panel) return <Panel />;
  return (
    <div className="panel-empty" role="status">
      {isFailed && (
        <>
          <p>{t('error.OTHER')}</p>
          <button type="button" className="text-button" onClick={() => void load()}>
            {t('chat.retry')}
          </button>
        </>
      )}
    </div>
  );
}
