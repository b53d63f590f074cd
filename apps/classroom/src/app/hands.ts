import type { ClassStore } from '../class/class-store.js';
import type { AppState } from './app-store.js';
import type { Lines } from './lines.js';
import type { Store } from '../store/store.js';

/** Announces newly raised hands to participants who manage others. */
export function followHands(app: Store<AppState>, classStore: ClassStore, lines: Lines): void {
  let known: ReadonlySet<string> | undefined;
  let seen = classStore.getSnapshot().hands;
  classStore.subscribe(() => {
    const { hands, isLoaded } = classStore.getSnapshot();
    if (!isLoaded || (hands === seen && known)) return;
    seen = hands;
    const { session } = app.get();
    const names = hands.filter(({ uid }) => known && !known.has(uid) && uid !== session?.participant.uid).map(({ name }) => name);
    known = new Set(hands.map(({ uid }) => uid));
    if (names.length > 0 && session?.permissions.manageParticipants) {
      lines.say({ key: 'said.hand', values: { count: names.length, names: names.join(', ') } });
    }
  });
}
