import type { People } from '../media/people.js';
import { applyAccent } from '@classroom/page/color';
import type { AppState } from './app-store.js';
import type { Store } from '../store.js';

/**
 * Writes the state to attributes of the root element, for the style sheet, embedding tests and assistive tools. Also applies
 * the room's theme and accent color.
 */
export function mirrorStateToRoot(app: Store<AppState>, people: People): void {
  const root = document.documentElement;
  const update = () => {
    const { state, reason, session } = app.get();
    root.dataset['state'] = state;
    if (reason) root.dataset['reason'] = reason;
    else delete root.dataset['reason'];
    if (session) applyBranding(session);
  };
  update();
  app.subscribe(update);
  people.subscribe(() => {
    const count = people.get().people.length;
    if (count > 0) root.dataset['participants'] = String(count);
    else delete root.dataset['participants'];
  });
}

let brandedSession: AppState['session'];
function applyBranding(session: NonNullable<AppState['session']>): void {
  if (brandedSession === session) return;
  brandedSession = session;
  const { room, branding } = session;
  applyLook({
    title: room.title,
    theme: room.customization.theme,
    accent: branding.accentColor ?? branding.primaryColor ?? undefined,
  });
}

/** The title, theme and color of a room. */
export function applyLook({
  title,
  theme = 'auto',
  accent,
}: {
  title: string;
  theme: string | undefined;
  accent: string | undefined;
}): void {
  const root = document.documentElement;
  if (theme === 'auto') delete root.dataset['theme'];
  else root.dataset['theme'] = theme;
  applyAccent(root, accent ?? null);
  document.title = title;
}

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
