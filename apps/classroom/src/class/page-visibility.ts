/** Whether the page is visible. */
export const pageVisibility = {
  isVisible: () => document.visibilityState === 'visible',
  onVisibility(listener: () => void): () => void {
    document.addEventListener('visibilitychange', listener);
    return () => document.removeEventListener('visibilitychange', listener);
  },
};
