import type { People } from '../media/people.js';
import { applyAccent } from '@classroom/page/color';
import type { AppState } from './app-store.js';
import type { Store } from '../store/store.js';

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
    if (session) applyBranding(root, session);
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
function applyBranding(root: HTMLElement, session: NonNullable<AppState['session']>): void {
  if (brandedSession === session) return;
  brandedSession = session;
  const { theme } = session.room.customization;
  if (theme === 'auto') delete root.dataset['theme'];
  else root.dataset['theme'] = theme;
  applyAccent(root, session.branding.accentColor ?? session.branding.primaryColor);
  document.title = session.room.title;
}
