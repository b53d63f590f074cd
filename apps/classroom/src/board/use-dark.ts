import { useSyncExternalStore } from 'react';

const preference = () => window.matchMedia('(prefers-color-scheme: dark)');

/** The room's theme, or that of the participant's system. */
function isDark(): boolean {
  const { theme } = document.documentElement.dataset;
  return theme ? theme === 'dark' : preference().matches;
}

function subscribe(listener: () => void): () => void {
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  const query = preference();
  query.addEventListener('change', listener);
  return () => {
    observer.disconnect();
    query.removeEventListener('change', listener);
  };
}

export const useDark = (): boolean => useSyncExternalStore(subscribe, isDark);
