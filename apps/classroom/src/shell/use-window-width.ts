import { useSyncExternalStore } from 'react';

function subscribe(listener: () => void): () => void {
  window.addEventListener('resize', listener);
  return () => window.removeEventListener('resize', listener);
}

export const useWindowWidth = (): number => useSyncExternalStore(subscribe, () => window.innerWidth);
