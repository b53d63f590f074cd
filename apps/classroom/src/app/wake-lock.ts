import type { AppState } from './app-store.js';
import type { Store } from '../store/store.js';

/** Keeps the screen on while in class. If the browser refuses, the class continues without it. */
export function keepAwake(app: Store<AppState>): void {
  let lock: WakeLockSentinel | undefined;
  let isAsking = false;
  const look = async () => {
    const { state } = app.get();
    const isWanted = (state === 'connected' || state === 'reconnecting') && document.visibilityState === 'visible';
    if (!isWanted && lock) {
      void lock.release().catch(() => undefined);
      lock = undefined;
    }
    if (!isWanted || (lock && !lock.released) || isAsking || !('wakeLock' in navigator)) return;
    isAsking = true;
    lock = await navigator.wakeLock.request('screen').catch(() => undefined);
    isAsking = false;
  };
  let before = app.get().state;
  app.subscribe(() => {
    if (app.get().state === before) return;
    before = app.get().state;
    void look();
  });
  document.addEventListener('visibilitychange', () => void look());
}
