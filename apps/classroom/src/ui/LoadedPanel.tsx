import { type ComponentType, useCallback, useEffect, useState } from 'react';
import { useTranslation } from '../i18n/index.js';

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

const loadedParts = new Map<() => Promise<unknown>, unknown>();

/** Loads a part of the page before it is shown. @throws Error if the file does not arrive */
export async function preload<T>(load: () => Promise<T>): Promise<void> {
  loadedParts.set(load, await load());
}

/** Loads a part of the page when it is first shown, and keeps it for the next time. After a failure, it tries again when the network is back. `load` must be the same function each time. */
export function useLoaded<T>(load: () => Promise<T>): { part: T | undefined; isFailed: boolean; retry(): void } {
  const [part, setPart] = useState(() => loadedParts.get(load) as T | undefined);
  const [isFailed, setFailed] = useState(false);
  const retry = useCallback(() => {
    setFailed(false);
    load().then(
      (loaded) => {
        loadedParts.set(load, loaded);
        setPart(() => loaded);
      },
      () => setFailed(true),
    );
  }, [load]);
  useEffect(() => {
    if (!loadedParts.has(load)) retry();
  }, [load, retry]);
  useEffect(() => {
    if (!isFailed) return undefined;
    window.addEventListener('online', retry);
    return () => window.removeEventListener('online', retry);
  }, [isFailed, retry]);
  return { part, isFailed, retry };
}
