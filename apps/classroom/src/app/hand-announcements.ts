import type { ClassStore } from '../class/class-store.js';
import type { AppState } from './app-store.js';
import type { Toasts } from './toasts.js';
import type { Store } from '../store/store.js';

/** Announces newly raised hands to participants who manage others. */
export function announceRaisedHands(app: Store<AppState>, classStore: ClassStore, toasts: Toasts): void {
  let knownUids: ReadonlySet<string> | undefined;
  let previousHands = classStore.getSnapshot().hands;
  classStore.subscribe(() => {
    const { hands, isLoaded } = classStore.getSnapshot();
    if (!isLoaded || (hands === previousHands && knownUids)) return;
    previousHands = hands;
    const { session } = app.get();
    const names = hands.filter(({ uid }) => knownUids && !knownUids.has(uid) && uid !== session?.participant.uid).map(({ name }) => name);
    knownUids = new Set(hands.map(({ uid }) => uid));
    if (names.length > 0 && session?.permissions.manageParticipants) {
      toasts.announce({ key: 'announcement.hand', values: { count: names.length, names: names.join(', ') } });
    }
  });
}
