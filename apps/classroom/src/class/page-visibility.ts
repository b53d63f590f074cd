/** Whether somebody can see this page. */
export const pageVisibility = {
  isVisible: () => document.visibilityState === 'visible',
  onVisibility(listener: () => void): () => void {
    document.addEventListener('visibilitychange', listener);
    return () => document.removeEventListener('visibilitychange', listener);
  },
};
