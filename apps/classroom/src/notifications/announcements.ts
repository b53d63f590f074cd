import type { AppState } from '../app/app-store.js';
import type { Toasts } from '../app/toasts.js';
import type { ClassStore } from '../class/class-store.js';
import type { Store } from '../store.js';
import { alertsBetween, type AlertKind } from './alerts.js';

interface Parts {
  app: Store<AppState>;
  classStore: Pick<ClassStore, 'getSnapshot' | 'subscribe'>;
  toasts: Pick<Toasts, 'announceNames'>;
}

/**
 * Announces what arrives in the panels: raised hands to those who manage others, and messages while the chat is closed. The open chat is a log, which
 * screen readers follow.
 */
export function announceAlerts({ app, classStore, toasts }: Parts): void {
  const moment = () => ({ ...app.get(), ...classStore.getSnapshot() });
  let before = moment();
  classStore.subscribe(() => {
    const [was, now] = [before, (before = moment())];
    const alerts = alertsBetween(was, now);
    const announce = (kind: AlertKind & ('hand' | 'chat')) =>
      toasts.announceNames(
        kind,
        alerts.filter((alert) => alert.kind === kind).map(({ name }) => name),
      );
    announce('hand');
    if (now.tab !== 'chat') announce('chat');
  });
}
