import type { AppState } from './app-store.js';
import type { Store } from '../store/store.js';

/** Keeps the screen on while in class. If the browser refuses, the class continues without it. */
export function keepScreenAwake(app: Store<AppState>): void {
  let lock: WakeLockSentinel | undefined;
  let isRequesting = false;
  const update = async () => {
    const { state } = app.get();
    const shouldHold = (state === 'connected' || state === 'reconnecting') && document.visibilityState === 'visible';
    if (!shouldHold && lock) {
      void lock.release().catch(() => undefined);
      lock = undefined;
    }
    if (!shouldHold || (lock && !lock.released) || isRequesting || !('wakeLock' in navigator)) return;
    isRequesting = true;
    lock = await navigator.wakeLock.request('screen').catch(() => undefined);
    isRequesting = false;
  };
  let before = app.get().state;
  app.subscribe(() => {
    if (app.get().state === before) return;
    before = app.get().state;
    void update();
  });
  document.addEventListener('visibilitychange', () => void update());
}
