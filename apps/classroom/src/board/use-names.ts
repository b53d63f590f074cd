import { useEffect, type RefObject } from 'react';
import { useTranslation } from '../i18n/index.js';

/** Gives the editor's controls the names and roles that they lack for screen readers. */
export function useNames(ground: RefObject<HTMLElement | null>): void {
  const { t } = useTranslation('board');
  useEffect(() => {
    const { current } = ground;
    if (!current) return undefined;
    const improve = () => {
      for (const dialog of current.querySelectorAll('[role=dialog]:not([aria-label], [aria-labelledby])'))
        dialog.setAttribute('aria-label', t(dialog.classList.contains('color-picker-container') ? 'colors' : 'label'));
      for (const footer of current.querySelectorAll('footer[role=contentinfo]')) footer.setAttribute('role', 'group');
      // Its text is the zoom, and what it does is its title.
      for (const button of current.querySelectorAll('.reset-zoom-button[aria-label]')) button.removeAttribute('aria-label');
    };
    improve();
    const observer = new MutationObserver(improve);
    observer.observe(current, { subtree: true, childList: true });
    return () => observer.disconnect();
  }, [ground, t]);
}
