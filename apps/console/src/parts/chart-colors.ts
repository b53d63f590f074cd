import { useSyncExternalStore } from 'react';

const dark = () => matchMedia('(prefers-color-scheme: dark)');
const subscribe = (listener: () => void) => {
  const query = dark();
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
};

/** Whether the page is dark now. A canvas has to be drawn again when that changes. */
export const useIsDark = (): boolean => useSyncExternalStore(subscribe, () => dark().matches);

/** The color that a design token has in the present theme, as a canvas needs it. */
export function colorOf(element: HTMLElement, token: string): string {
  const { color } = element.style;
  element.style.color = `var(${token})`;
  const resolved = getComputedStyle(element).color;
  element.style.color = color;
  return resolved;
}
