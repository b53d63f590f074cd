import { useCallback, useEffect, useState } from 'react';

const loadedParts = new Map<() => Promise<unknown>, unknown>();

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
